// A library for CUDA_INJECTION64_PATH. Records the kernels and copies of a process with CUPTI and writes those of the
// last moments as JSON to $CUDA_TRACE_OUT when the process exits. Compiled and used by kernels.mjs.
#include <cupti.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

// The runs before it allocate memory and choose algorithms.
constexpr uint64_t kWindowNs = 300'000'000;
constexpr size_t kBufferBytes = 8 << 20;

struct Activity {
  uint64_t start;
  uint64_t end;
  uint64_t bytes;
  std::string name;
};

struct Sum {
  uint64_t count = 0;
  uint64_t ns = 0;
  uint64_t bytes = 0;
};

// Never destroyed, because CUPTI delivers records until the process has exited.
std::mutex& mutex = *new std::mutex;
std::vector<Activity>& activities = *new std::vector<Activity>;

void CUPTIAPI requested(uint8_t** buffer, size_t* size, size_t* max_records) {
  *size = kBufferBytes;
  *buffer = static_cast<uint8_t*>(aligned_alloc(16, kBufferBytes));
  *max_records = 0;
}

const char* copy_name(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "copy to the device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "copy from the device";
    default:
      return "copy on the device";
  }
}

void CUPTIAPI completed(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  const std::lock_guard<std::mutex> lock(mutex);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* kernel = reinterpret_cast<CUpti_ActivityKernel10*>(record);
      activities.push_back({kernel->start, kernel->end, 0, kernel->name == nullptr ? "?" : kernel->name});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* copy = reinterpret_cast<CUpti_ActivityMemcpy6*>(record);
      activities.push_back({copy->start, copy->end, copy->bytes, copy_name(copy->copyKind)});
    }
  }
  free(buffer);
}

// The time in which at least one activity ran. Expects ascending starts.
uint64_t busy_ns(const std::vector<std::pair<uint64_t, uint64_t>>& spans) {
  uint64_t total = 0;
  uint64_t done = 0;
  for (const auto& [start, end] : spans) {
    if (end > done) total += end - std::max(start, done);
    done = std::max(done, end);
  }
  return total;
}

void report() {
  cuptiActivityFlushAll(1);
  const std::lock_guard<std::mutex> lock(mutex);
  const char* path = getenv("CUDA_TRACE_OUT");
  FILE* file = path == nullptr ? nullptr : fopen(path, "w");
  if (file == nullptr) return;
  uint64_t last = 0;
  for (const auto& activity : activities) last = std::max(last, activity.end);
  std::map<std::string, Sum> sums;
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  for (const auto& [start, end, bytes, name] : activities) {
    if (start + kWindowNs < last) continue;
    Sum& sum = sums[name];
    sum.count += 1;
    sum.ns += end - start;
    sum.bytes += bytes;
    spans.emplace_back(start, end);
  }
  std::sort(spans.begin(), spans.end());
  fprintf(file, "{\"windowMs\":%.0f,\"busyPercent\":%.1f,\"activities\":[", kWindowNs / 1e6,
          100.0 * busy_ns(spans) / kWindowNs);
  const char* separator = "";
  for (const auto& [name, sum] : sums) {
    fprintf(file, "%s{\"name\":\"%s\",\"count\":%lu,\"microseconds\":%.1f,\"bytes\":%lu}", separator, name.c_str(),
            static_cast<unsigned long>(sum.count), sum.ns / 1e3, static_cast<unsigned long>(sum.bytes));
    separator = ",";
  }
  fprintf(file, "]}\n");
  fclose(file);
}

}  // namespace

extern "C" int InitializeInjection() {
  if (cuptiActivityRegisterCallbacks(requested, completed) != CUPTI_SUCCESS) return 0;
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
  atexit(report);
  return 1;
}
