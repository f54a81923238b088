#include "sim/model/effects_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dtbench {
namespace {

/// Rows of a straight line: latent 0 is measured directly, with noise.
struct Lines {
  std::vector<RowEffects> rows;
  std::vector<double> measured;
  EffectsProblem problem() const {
    EffectsProblem made;
    made.centres = {0};
    made.rows = rows;
    made.error = [this](std::size_t row, std::span<const double> latents) { return latents[0] - measured[row]; };
    return made;
  }
};

Lines grouped(int groups, int of_each) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0, 0.01);
  Lines lines;
  for (int group = 0; group < groups; ++group)
    for (int i = 0; i < of_each; ++i) {
      lines.rows.push_back({{{"all", 1}, {"group=" + std::to_string(group), 0.5}}});
      lines.measured.push_back(0.3 + 0.2 * group + noise(random));
    }
  return lines;
}

TEST(EffectsFit, FindsTheEffectsBehindMeasurements) {
  const Lines lines = grouped(3, 40);
  const FittedEffects fitted = fit_effects(lines.problem());
  for (std::size_t row = 0; row < lines.rows.size(); row += 40)
    EXPECT_NEAR(latents_of({0}, lines.rows[row], fitted)[0], 0.3 + 0.2 * double(row / 40), 0.01);
}

TEST(EffectsFit, LittleEvidenceMovesLittle) {
  Lines one;
  one.rows = {{{{"rare", 0.01}}}};
  one.measured = {1};
  EXPECT_LT(fit_effects(one.problem()).at("rare").value, 0.05) << "shrunk to its belief";
  one.rows = {{{{"free", 100}}}};
  EXPECT_NEAR(fit_effects(one.problem()).at("free").value, 1, 1e-3);
}

TEST(EffectsFit, OneOutlierDoesNotDecide) {
  Lines lines = grouped(1, 21);
  lines.measured[3] = 50;
  EXPECT_NEAR(latents_of({0}, lines.rows[0], fit_effects(lines.problem()))[0], 0.3, 0.02);
}

TEST(EffectsFit, KnowsWhatItDoesNotKnow) {
  const Lines lines = grouped(3, 40);
  const FittedEffects fitted = fit_effects(lines.problem());
  const auto itself = [](std::span<const double> latents) { return latents[0]; };
  const RowEffects unseen = {{{"all", 1}, {"group=new", 0.5}}};
  EXPECT_GT(effects_sd({0}, unseen, fitted, itself), 0.5) << "an unseen label stays as uncertain as believed";
  EXPECT_LT(fitted.at("group=0").sd, fitted.at("group=0").belief_sd);
}

TEST(EffectsFit, IsDeterministic) {
  const Lines lines = grouped(4, 10);
  EXPECT_EQ(fit_effects(lines.problem()), fit_effects(lines.problem()));
}

}  // namespace
}  // namespace dtbench
