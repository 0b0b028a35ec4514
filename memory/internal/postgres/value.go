package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
)

// The OIDs of PostgreSQL's built-in types, which never change.
const (
	oidBool    = 16
	oidBytea   = 17
	oidInt8    = 20
	oidInt2    = 21
	oidInt4    = 23
	oidText    = 25
	oidOID     = 26
	oidFloat4  = 700
	oidFloat8  = 701
	oidNumeric = 1700
)

// The formats of values in the protocol.
const (
	formatText   int16 = 0
	formatBinary int16 = 1
)

// binaryArguments says that all arguments are sent in binary format, which for text is the text itself.
var binaryArguments = []int16{formatBinary}

// kindOf returns the kind of an argument.
func kindOf(v driver.Value) (Kind, error) {
	switch v := v.(type) {
	case nil:
		return Null, nil
	case int64, bool:
		return Integer, nil
	case float64:
		return Float, nil
	case string:
		return Text, nil
	case []byte:
		if v == nil {
			return Null, nil
		}
		return Bytes, nil
	case time.Time:
		return Null, fmt.Errorf("it is a time.Time, which the store does not know: pass its milliseconds since 1970")
	default:
		return Null, fmt.Errorf("it has the type %T: pass an int64, float64, string, []byte or bool", v)
	}
}

// oid is the type that PostgreSQL is told for a kind of argument.
func (k Kind) oid() uint32 {
	switch k {
	case Integer:
		return oidInt8
	case Float:
		return oidFloat8
	case Bytes:
		return oidBytea
	default:
		return oidText
	}
}

// appendArgument appends an argument in binary format.
func appendArgument(buf []byte, v driver.Value) []byte {
	switch v := v.(type) {
	case int64:
		return binary.BigEndian.AppendUint64(buf, uint64(v))
	case float64:
		return binary.BigEndian.AppendUint64(buf, math.Float64bits(v))
	case bool:
		if v {
			return binary.BigEndian.AppendUint64(buf, 1)
		}
		return binary.BigEndian.AppendUint64(buf, 0)
	case string:
		return append(buf, storable(v)...)
	case []byte:
		return append(buf, v...)
	}
	return buf
}

// storable replaces what PostgreSQL cannot store in text by U+FFFD: zero bytes and invalid UTF-8.
func storable(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return s
}

// resultFormats returns the formats in which to read columns.
func resultFormats(fields []pgconn.FieldDescription) []int16 {
	formats := make([]int16, len(fields))
	for i, f := range fields {
		switch f.DataTypeOID {
		case oidBool, oidInt2, oidInt4, oidInt8, oidOID, oidFloat4, oidFloat8, oidBytea:
			formats[i] = formatBinary
		default:
			formats[i] = formatText
		}
	}
	return formats
}

// decode makes a Go value of a column, whose format is that of resultFormats. It copies what it keeps.
func decode(oid uint32, v []byte) (driver.Value, error) {
	if v == nil {
		return nil, nil
	}
	switch oid {
	case oidBool, oidInt2, oidInt4, oidInt8, oidOID:
		return decodeInteger(oid, v)
	case oidFloat4, oidFloat8:
		return decodeFloat(v)
	case oidNumeric:
		return decodeNumeric(string(v))
	case oidBytea:
		return append(make([]byte, 0, len(v)), v...), nil
	default:
		return string(v), nil
	}
}

func decodeInteger(oid uint32, v []byte) (driver.Value, error) {
	switch {
	case len(v) == 1:
		return int64(v[0]), nil
	case len(v) == 2:
		return int64(int16(binary.BigEndian.Uint16(v))), nil
	case len(v) == 4 && oid == oidOID:
		return int64(binary.BigEndian.Uint32(v)), nil
	case len(v) == 4:
		return int64(int32(binary.BigEndian.Uint32(v))), nil
	case len(v) == 8:
		return int64(binary.BigEndian.Uint64(v)), nil
	}
	return nil, fmt.Errorf("PostgreSQL sent an integer of %d bytes", len(v))
}

func decodeFloat(v []byte) (driver.Value, error) {
	switch len(v) {
	case 4:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(v))), nil
	case 8:
		return math.Float64frombits(binary.BigEndian.Uint64(v)), nil
	}
	return nil, fmt.Errorf("PostgreSQL sent a floating-point number of %d bytes", len(v))
}

// decodeNumeric makes an int64 of a decimal number without a fraction, such as the sum of integers, and otherwise, or if
// it is too large, a float64.
func decodeNumeric(s string) (driver.Value, error) {
	whole := s
	if point := strings.IndexByte(s, '.'); point >= 0 && strings.Trim(s[point+1:], "0") == "" {
		whole = s[:point]
	}
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return nil, fmt.Errorf("PostgreSQL sent the number %.40q: %w", s, err)
	}
	return f, nil
}
