// A child process that can be killed, for tests about locks and crashes.
#pragma once

#include <csignal>
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace seen::testing {

/// Runs a function in a forked process; the function reports numbers through the pipe it is given.
class child_process {
 public:
  template <class Body>
  explicit child_process(Body body) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      body(reporter{ends[1]});
      ::_exit(0);
    }
    ::close(ends[1]);
    read_end_ = ends[0];
  }
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process() {
    kill();
    ::close(read_end_);
  }

  struct reporter {
    int write_end;
    void operator()(std::uint64_t number) const { (void)!::write(write_end, &number, sizeof number); }
  };

  /// The next number the child reported; false when it has ended.
  bool read(std::uint64_t& number) const { return ::read(read_end_, &number, sizeof number) == sizeof number; }

  /// SIGKILL, and waits for its end; false if it had ended by itself.
  bool kill() {
    if (pid_ <= 0) return false;
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }

 private:
  pid_t pid_ = -1;
  int read_end_ = -1;
};

}  // namespace seen::testing
