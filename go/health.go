package seen

import (
	"math"

	"github.com/seenfilter/seen/go/internal/engine"
)

// Health says whether a filter is still what was asked for: three findings, and the numbers that say so.
//
// A filter at its capacity never alarms by chance, since MostKeys is what the estimate gives six standard deviations above its
// mean. A filter that was made by its shape has no capacity, and neither have those of other formats: they can be saturated only.
type Health struct {
	Saturated    bool // fuller than any plan makes it
	PastCapacity bool // EstimatedCount > MostKeys
	AboveFPR     bool // past its capacity, and EstimatedFPR > MostFPR

	Fill           float64 // share of the bits that are set
	EstimatedCount float64 // keys it holds; infinite when it is full
	MostKeys       float64 // the most that a filter at its capacity may seem to hold; infinite where it has none
	EstimatedFPR   float64 // as the filter is now
	MostFPR        float64 // what was asked; 1 where nothing was
}

// Healthy says that nothing is wrong.
func (h Health) Healthy() bool { return !h.Saturated && !h.PastCapacity && !h.AboveFPR }

// Health says whether the filter is still what was asked for. It reads all bits.
func (f *kept[T, E]) Health() Health {
	e := f.made()
	h := healthOf(e.Full(), e.Fill(), e.EstimatedCount(), e.EstimatedFPR())
	if f.target.Capacity == 0 {
		return h
	}
	if grows, is := any(e).(interface{ Growth() engine.Growth }); is { // past no capacity, but a merge may exceed the rate
		h.MostFPR = grows.Growth().FPR
		h.AboveFPR = h.Saturated && h.EstimatedFPR > h.MostFPR
		return h
	}
	judged, is := any(e).(engine.Judged)
	if !is {
		return h
	}
	h.MostKeys, h.MostFPR = judged.MostKeys(f.target.Capacity), f.target.FPR
	h.PastCapacity = h.EstimatedCount > h.MostKeys
	h.AboveFPR = h.PastCapacity && h.EstimatedFPR > h.MostFPR
	h.Saturated = h.Saturated && h.PastCapacity // a plan for a high rate is as full
	return h
}

// Health says whether the filter is saturated, which is all that can be said of one whose capacity its file does not name.
func (f *Foreign) Health() Health {
	return healthOf(f.Fill() > engine.WeakFill, f.Fill(), f.EstimatedCount(), f.EstimatedFPR())
}

func healthOf(saturated bool, fill, keys, fpr float64) Health {
	return Health{Saturated: saturated, Fill: fill, EstimatedCount: keys, MostKeys: math.Inf(1), EstimatedFPR: fpr, MostFPR: 1}
}
