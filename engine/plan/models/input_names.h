// Names of the tensors that a step is fed with. Whoever fills a batch (generated input, data sets) goes by them.
#pragma once

namespace dtbench {

inline constexpr const char* kFeatures = "features";  ///< float: images [B,H,W,C], vectors [B,I]
inline constexpr const char* kLabels = "labels";      ///< class of each example [B]

inline constexpr const char* kTokens = "tokens";  ///< ids of the vocabulary [B,S]
inline constexpr const char* kNextTokens =
    "next_tokens";  ///< the token after each, what a language model predicts [B,S]

inline constexpr const char* kSegments = "segments";                 ///< sentence of each token, 0 or 1 [B,S]
inline constexpr const char* kMaskedPositions = "masked_positions";  ///< where tokens were replaced [B,P]
inline constexpr const char* kMaskedTokens = "masked_tokens";        ///< what stood there [B,P]
inline constexpr const char* kClassPosition = "class_position";  ///< of the token that stands for the sequence: 0 [B,1]
inline constexpr const char* kIsNext = "is_next";  ///< whether the second sentence follows the first: 0 yes, 1 no [B,1]

}  // namespace dtbench
