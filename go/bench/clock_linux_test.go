package bench

import (
	"syscall"
	"time"
	"unsafe"
)

// spent is the processor's time that this thread has had, whoever else wanted the processor meanwhile.
func spent() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var at syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&at)), 0)
	return time.Duration(at.Nano())
}
