package sizing

import "testing"

// Pinned in docs/sizing.md.
func TestShapesAreThoseOfTheDocumentation(t *testing.T) {
	for _, row := range []struct {
		capacity     uint64
		fpr          float64
		bits, probes uint64
	}{
		{1_000_000, 0.05, 6_235_225, 4}, {1_000_000, 0.02, 8_142_364, 6}, {1_000_000, 0.01, 9_585_059, 7},
		{1_000_000, 0.001, 14_377_588, 10}, {1_000_000, 1e-4, 19_170_117, 13}, {1_000_000, 1e-6, 28_755_176, 20},
		{1_000_000, 1e-9, 43_132_763, 30}, {1_000_000_000, 0.001, 14_377_587_567, 10}, {137, 0.01, 1314, 7}, {40, 0.1, 192, 3},
	} {
		bits, probes, err := Bloom(row.capacity, row.fpr)
		if err != nil || bits != row.bits || probes != row.probes {
			t.Errorf("%d keys at %v: %d bits and %d probes (%v), not %d and %d", row.capacity, row.fpr, bits, probes, err, row.bits, row.probes)
		}
	}
	if blocks, probes, err := BlockedBloom(1_000_000, 0.01, 0); blocks != 19_776 || probes != 8 || err != nil {
		t.Errorf("blocked: %d blocks, %d probes, %v", blocks, probes, err)
	}
	if blocks, probes, err := BlockedBloom(1_000_000, 1e-4, 0); blocks != 44_739 || probes != 16 || err != nil {
		t.Errorf("blocked: %d blocks, %d probes, %v", blocks, probes, err)
	}
	if blocks, err := SplitBlock(1_000_000, 0.01); blocks != 41_138 || err != nil {
		t.Errorf("split-block: %d blocks, %v", blocks, err)
	}
}
