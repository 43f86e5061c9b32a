package memory

import "syscall"

// total is the memory of the machine in bytes, swap and all.
func total() (uint64, bool) {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0, false
	}
	return (uint64(info.Totalram) + uint64(info.Totalswap)) * uint64(info.Unit), true
}
