package fixed_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tickback/tickback/fixed"
)

// A ball falls under gravity and bounces off the floor. Constants are computed
// by the compiler, values by methods.
func Example() {
	const (
		gravity = -fixed.One / 25
		bounce  = fixed.One * 3 / 4
	)
	height, speed := fixed.FromInt(2), fixed.Num(0)
	for range 20 {
		speed = speed.Add(gravity)
		height = height.Add(speed)
		if height < 0 {
			height, speed = 0, speed.Neg().Mul(bounce)
		}
	}
	fmt.Println("height", height)
	fmt.Println("speed", speed)
	// Output:
	// height 0.7999420166015625
	// speed -0.0999755859375
}

func ExampleFromRatio() {
	fmt.Println(fixed.FromRatio(1, 3))
	fmt.Println(fixed.FromRatio(-1, 3))
	fmt.Println(fixed.FromRatio(1, 0) == fixed.Max)
	// Output:
	// 0.3333282470703125
	// -0.3333282470703125
	// true
}

func ExampleNum_Div() {
	six := fixed.FromInt(6)
	fmt.Println(six.Div(fixed.FromInt(4)))
	fmt.Println(six.Neg().Div(0) == fixed.Min, fixed.Num(0).Div(0))
	// Output:
	// 1.5
	// true 0
}

func ExampleNum_Add_saturates() {
	fmt.Println(fixed.Max.Add(fixed.One) == fixed.Max)
	// Output: true
}

func ExampleLerp() {
	from, to := fixed.FromInt(10), fixed.FromInt(20)
	fmt.Println(fixed.Lerp(from, to, fixed.One/4))
	// Output: 12.5
}

func ExampleNum_Clamp() {
	fmt.Println(fixed.FromInt(7).Clamp(-fixed.One, fixed.One))
	fmt.Println(max(fixed.Half, fixed.One)) // the built-ins order Nums
	// Output:
	// 1
	// 1
}

func ExampleParse() {
	n, err := fixed.Parse("0.1")
	fmt.Println(n, err) // the nearest Num, printed exactly

	_, err = fixed.Parse("1e9")
	fmt.Println(errors.Is(err, fixed.ErrSyntax))
	// Output:
	// 0.100006103515625 <nil>
	// true
}

func ExampleNum_MarshalJSON() {
	data, _ := json.Marshal(fixed.Vec2{X: fixed.Half, Y: fixed.FromInt(-2)})
	fmt.Println(string(data))
	// Output: {"X":"0.5","Y":"-2"}
}

func ExampleSinCos() {
	sin, cos := fixed.SinCos(fixed.Pi / 6)
	fmt.Println(sin, cos)
	// Output: 0.5 0.86602783203125
}

func ExampleAtan2() {
	fmt.Println(fixed.Atan2(fixed.One, 0) == fixed.HalfPi)
	// Output: true
}

func ExampleVec2_Normalise() {
	aim := fixed.Vec2{X: fixed.FromInt(3), Y: fixed.FromInt(4)}
	fmt.Println(aim.Length(), aim.Normalise())
	// Output: 5 (0.600006103515625, 0.8000030517578125)
}

func ExampleVec2_Rotate() {
	forward := fixed.Vec2{X: fixed.FromInt(10)}
	fmt.Println(forward.Rotate(fixed.HalfPi)) // HalfPi is not exactly pi/2
	fmt.Println(forward.Perp())               // an exact quarter turn
	// Output:
	// (-0.0000457763671875, 10)
	// (0, 10)
}
