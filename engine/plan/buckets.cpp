#include "engine/plan/buckets.h"

#include <fmt/core.h>

#include <algorithm>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

struct Member {
  TensorId parameter = kNoTensor, gradient = kNoTensor;
};

// In the order of the operation that finishes each gradient.
std::vector<Member> members_in_backward_order(const RankClass& cls, const std::vector<TensorId>& gradient_of) {
  std::vector<Member> written_by_op(cls.tensors.size());
  for (std::size_t t = 0; t < gradient_of.size(); ++t)
    if (cls.tensors[t].role == TensorRole::parameter)
      written_by_op[static_cast<std::size_t>(gradient_of[t])] = {static_cast<TensorId>(t), gradient_of[t]};
  std::vector<Member> members;
  for (const PlanOp& op : cls.ops)
    for (const TensorId output : op.outputs)
      if (const Member& member = written_by_op[static_cast<std::size_t>(output)]; member.gradient != kNoTensor)
        members.push_back(member);
  return members;
}

std::int64_t align_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

TensorId add_flat_tensor(RankClass& cls, std::string name, std::int64_t elements, DType dtype, TensorRole role) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.shape = {elements};
  tensor.dtype = dtype;
  tensor.role = role;
  cls.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(cls.tensors.size()) - 1;
}

class BucketFiller {
 public:
  BucketFiller(RankClass& cls, std::int64_t bucket_bytes, std::int64_t alignment_bytes)
      : cls_(cls), bucket_bytes_(bucket_bytes), alignment_bytes_(alignment_bytes) {}

  void add(const Member& member) {
    const std::int64_t first = align_up(end_, element_alignment(member));
    if (!members_.empty() && ((first + elements(member)) * element_bytes(member) > bucket_bytes_ ||
                              dtype(member) != dtype(members_.front())))
      close();
    const std::int64_t start = members_.empty() ? 0 : first;
    starts_.push_back(start);
    padding_ += start - end_;
    end_ = start + elements(member);
    members_.push_back(member);
  }

  std::vector<Bucket> finish() {
    if (!members_.empty()) close();
    return buckets_;
  }

 private:
  const Tensor& gradient(const Member& member) const { return cls_.tensors[static_cast<std::size_t>(member.gradient)]; }
  DType dtype(const Member& member) const { return gradient(member).dtype; }
  std::int64_t element_bytes(const Member& member) const { return bytes_of(dtype(member)); }
  std::int64_t element_alignment(const Member& member) const {
    return std::max<std::int64_t>(1, alignment_bytes_ / element_bytes(member));
  }
  std::int64_t elements(const Member& member) const { return gradient(member).elements(); }

  void close() {
    const std::string name = fmt::format("bucket{}", buckets_.size());
    const DType type = dtype(members_.front());
    Bucket bucket;
    bucket.parameters = add_flat_tensor(cls_, name + "/parameters", end_, type, TensorRole::parameter);
    bucket.gradients = add_flat_tensor(cls_, name + "/gradients", end_, type, TensorRole::gradient);
    bucket.velocity = add_flat_tensor(cls_, name + "/velocity", end_, type, TensorRole::optimizer_state);
    bucket.padding_elements = padding_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      cls_.tensors[static_cast<std::size_t>(members_[i].parameter)].view = View{bucket.parameters, starts_[i]};
      cls_.tensors[static_cast<std::size_t>(members_[i].gradient)].view = View{bucket.gradients, starts_[i]};
    }
    buckets_.push_back(bucket);
    members_.clear();
    starts_.clear();
    end_ = padding_ = 0;
  }

  RankClass& cls_;
  std::int64_t bucket_bytes_, alignment_bytes_;
  std::vector<Bucket> buckets_;
  std::vector<Member> members_;       // of the open bucket
  std::vector<std::int64_t> starts_;  // first element of each
  std::int64_t end_ = 0, padding_ = 0;
};

}  // namespace

std::vector<Bucket> group_into_buckets(RankClass& cls, const std::vector<TensorId>& gradient_of,
                                       std::int64_t bucket_bytes, std::int64_t alignment_bytes) {
  DTBENCH_CHECK(bucket_bytes >= 1 && alignment_bytes >= 1);
  BucketFiller filler(cls, bucket_bytes, alignment_bytes);
  for (const Member& member : members_in_backward_order(cls, gradient_of)) filler.add(member);
  return filler.finish();
}

}  // namespace dtbench
