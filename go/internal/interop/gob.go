package interop

// The frame that encoding/gob puts around a value which encodes itself: one message defines its type, one is the value.
//
//	message    length, number of the type, content; a negative number has a definition as content
//	value      0, length of the bytes, the bytes
//	natural    one byte below 128, else 256 less the number of bytes, and those, big-endian
//	integer    natural 2x, or 2·^x + 1 of a negative x
//
// The numbers of types depend on what else the process wrote before, so the definition is kept as it was read. (Decoding with
// encoding/gob would lose it, and would let the stream decide how much to allocate.)

import (
	"errors"
	"math/bits"
)

// gobFrame is what surrounds the value's bytes.
type gobFrame struct {
	definition []byte // the first message, whole
	number     uint64 // of the type, as the second message has it
}

// orUsual is the frame that was read, or else the one of a process that wrote nothing before.
func (g gobFrame) orUsual() gobFrame {
	if g.definition != nil {
		return g
	}
	return gobFrame{[]byte{0x0a, 0xff, 0x81, 0x05, 0x01, 0x02, 0xff, 0x84, 0x00, 0x00, 0x00}, 2 * 65}
}

var errGob = errors.New("bits-and-blooms: not a gob of one value that encodes itself")

// cutNatural reads a natural number from the beginning of data.
func cutNatural(data []byte) (x uint64, rest []byte, err error) {
	if len(data) == 0 {
		return 0, nil, errGob
	}
	if data[0] < 128 {
		return uint64(data[0]), data[1:], nil
	}
	n := 256 - int(data[0])
	if n > 8 || n >= len(data) {
		return 0, nil, errGob
	}
	for _, c := range data[1 : 1+n] {
		x = x<<8 | uint64(c)
	}
	return x, data[1+n:], nil
}

// cutMessage splits data into its first message, number and content, and the rest.
func cutMessage(data []byte) (number uint64, content, rest []byte, err error) {
	length, data, err := cutNatural(data)
	if err != nil || length > uint64(len(data)) {
		return 0, nil, nil, errGob
	}
	number, content, err = cutNatural(data[:length])
	return number, content, data[length:], err
}

// cutFrame returns the frame and the bytes inside, which end with the data.
func cutFrame(data []byte) (gobFrame, []byte, error) {
	defined, content, rest, err := cutMessage(data)
	if err != nil || defined%2 == 0 || !definesSelfEncoding(content) {
		return gobFrame{}, nil, errGob
	}
	number, value, rest2, err := cutMessage(rest)
	if err != nil || len(rest2) != 0 || number != 2*(defined/2+1) || len(value) == 0 || value[0] != 0 {
		return gobFrame{}, nil, errGob
	}
	length, payload, err := cutNatural(value[1:])
	if err != nil || length != uint64(len(payload)) {
		return gobFrame{}, nil, errGob
	}
	return gobFrame{data[:len(data)-len(rest)], number}, payload, nil
}

// definesSelfEncoding tells whether a definition is of a type with GobEncode or MarshalBinary, of whatever name.
func definesSelfEncoding(content []byte) bool {
	if len(content) < 3 || content[0] != 5 && content[0] != 6 || content[1] != 1 {
		return false
	}
	content = content[1:]
	if content[1] == 1 { // the name
		length, rest, err := cutNatural(content[2:])
		if err != nil || length >= uint64(len(rest)) {
			return false
		}
		content = append([]byte{1, 1 + rest[length]}, rest[length+1:]...)
	}
	if content[1] != 2 { // the number, one field behind the name
		return false
	}
	_, ends, err := cutNatural(content[2:])
	return err == nil && string(ends) == "\x00\x00\x00"
}

func appendNatural(to []byte, x uint64) []byte {
	if x < 128 {
		return append(to, byte(x))
	}
	n := (bits.Len64(x) + 7) / 8
	to = append(to, byte(256-n))
	for i := n - 1; i >= 0; i-- {
		to = append(to, byte(x>>(8*i)))
	}
	return to
}

// appendBefore appends all that comes before a value of so many bytes.
func (g gobFrame) appendBefore(to []byte, size uint64) []byte {
	value := appendNatural(append(appendNatural(nil, g.number), 0), size)
	to = append(to, g.definition...)
	to = appendNatural(to, uint64(len(value))+size)
	return append(to, value...)
}
