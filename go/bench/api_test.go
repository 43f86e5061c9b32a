package bench

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bitset"
	peer "github.com/bits-and-blooms/bloom/v3"

	"github.com/seenfilter/seen/go/bloom"
)

// contract is the original's exported methods, F being the filter itself. That both types have it is what makes changing the import
// path enough; it is the compiler that says so.
type contract[F any] interface {
	Add([]byte) F
	AddString(string) F
	ApproximatedSize() uint32
	BitSet() *bitset.BitSet
	Cap() uint
	ClearAll() F
	Copy() F
	Equal(F) bool
	GobDecode([]byte) error
	GobEncode() ([]byte, error)
	K() uint
	MarshalBinary() ([]byte, error)
	MarshalJSON() ([]byte, error)
	Merge(F) error
	ReadFrom(io.Reader) (int64, error)
	Test([]byte) bool
	TestAndAdd([]byte) bool
	TestAndAddString(string) bool
	TestLocations([]uint64) bool
	TestOrAdd([]byte) bool
	TestOrAddString(string) bool
	TestString(string) bool
	UnmarshalBinary([]byte) error
	UnmarshalJSON([]byte) error
	WriteTo(io.Writer) (int64, error)
}

// functions are the original's exported functions.
type functions[F any] struct {
	New                       func(m, k uint) F
	NewWithEstimates          func(n uint, fp float64) F
	From                      func(data []uint64, k uint) F
	FromWithM                 func(data []uint64, m, k uint) F
	EstimateParameters        func(n uint, p float64) (m, k uint)
	EstimateFalsePositiveRate func(m, k, n uint) float64
	Locations                 func(data []byte, k uint) []uint64
}

var (
	_ contract[*peer.BloomFilter]  = (*peer.BloomFilter)(nil)
	_ contract[*bloom.BloomFilter] = (*bloom.BloomFilter)(nil)

	// Of a value, not only of a pointer: json.Marshal(filter) takes either.
	_ interface{ MarshalJSON() ([]byte, error) } = peer.BloomFilter{}
	_ interface{ MarshalJSON() ([]byte, error) } = bloom.BloomFilter{}

	theirs = functions[*peer.BloomFilter]{peer.New, peer.NewWithEstimates, peer.From, peer.FromWithM, peer.EstimateParameters, peer.EstimateFalsePositiveRate, peer.Locations}
	ours   = functions[*bloom.BloomFilter]{bloom.New, bloom.NewWithEstimates, bloom.From, bloom.FromWithM, bloom.EstimateParameters, bloom.EstimateFalsePositiveRate, bloom.Locations}
)

// A method that a newer release of the original adds is noticed here before anybody misses it.
func TestEveryMethodOfTheOriginalIsHereWithItsSignature(t *testing.T) {
	for _, types := range [][2]reflect.Type{
		{reflect.TypeFor[*peer.BloomFilter](), reflect.TypeFor[*bloom.BloomFilter]()},
		{reflect.TypeFor[peer.BloomFilter](), reflect.TypeFor[bloom.BloomFilter]()},
	} {
		theirs, ours := types[0], types[1]
		for i := range theirs.NumMethod() {
			method := theirs.Method(i)
			same, ok := ours.MethodByName(method.Name)
			if want := signature(method); !ok || signature(same) != want {
				t.Errorf("%s: %s, want %s", method.Name, signature(same), want)
			}
		}
	}
}

// signature is a method's parameters and results, with one name for either library's filter.
func signature(m reflect.Method) string {
	if m.Type == nil {
		return "missing"
	}
	var all strings.Builder
	for i := 1; i < m.Type.NumIn(); i++ {
		fmt.Fprint(&all, m.Type.In(i), " ")
	}
	fmt.Fprint(&all, "->")
	for i := range m.Type.NumOut() {
		fmt.Fprint(&all, " ", m.Type.Out(i))
	}
	return all.String()
}
