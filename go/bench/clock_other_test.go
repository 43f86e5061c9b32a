//go:build !linux

package bench

import "time"

var began = time.Now()

// spent is the time that has passed: other systems have no clock of a thread that is as easily read.
func spent() time.Duration { return time.Since(began) }
