package canon_test

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

type Fighter struct {
	X, Vy int32
	Hp    uint16
	Air   bool
}

type State struct {
	Frame uint32
	P     [2]Fighter
	Grid  [1024]uint8
	Shake float32 `canon:"-"` // presentation only
}

func Example() {
	plan, err := canon.PlanFor[State]()
	if err != nil {
		panic(err)
	}
	a := State{Frame: 7, Shake: 0.5}
	a.P[1] = Fighter{Vy: 460, Hp: 100}
	b := a
	b.Shake = 0.1 // does not count
	fmt.Println(plan.Size(), plan.Equal(&a, &b), plan.Hash(&a) == plan.Hash(&b))

	b.P[1].Vy = 500
	fmt.Println(plan.Equal(&a, &b))
	fmt.Println(plan.Diff(&a, &b, 10))
	// Output:
	// 1050 true true
	// false
	// P[1].Vy: 460 != 500
}

func ExamplePlanFor_error() {
	type Unit struct {
		Name string
		Hp   int
	}
	type World struct {
		Units [8]Unit
		Wind  float64
	}
	_, err := canon.PlanFor[World]()
	fmt.Println(err)
	// Output:
	// canon: canon_test.World is not a plain state:
	// 	Units[*].Name: string; use a fixed [N]byte array or an index
	// 	Units[*].Hp: int; use int32 or int64: its width differs by platform
	// 	Wind: float64; use a fixed-point number, or allow floats with canon.AllowFloats
}

func ExamplePlan_Decode() {
	plan, err := canon.PlanFor[Fighter]()
	if err != nil {
		panic(err)
	}
	b := plan.Append(nil, &Fighter{X: -1, Hp: 100, Air: true})
	fmt.Printf("% x\n", b)

	var f Fighter
	fmt.Println(plan.Decode(&f, b), f)
	b[10] = 9
	fmt.Println(plan.Decode(&f, b))
	// Output:
	// ff ff ff ff 00 00 00 00 64 00 01
	// <nil> {-1 0 100 true}
	// canon: Air: byte 10 of the encoding is 0x09, not a bool; the data are corrupt or of another type
}

func ExamplePlan_AppendText() {
	plan, err := canon.PlanFor[State]()
	if err != nil {
		panic(err)
	}
	s := State{Frame: 7}
	s.Grid[3] = 9
	fmt.Printf("%s", plan.AppendText(nil, &s))
	// Output:
	// Frame: 7
	// P[0].X: 0
	// P[0].Vy: 0
	// P[0].Hp: 0
	// P[0].Air: false
	// P[1].X: 0
	// P[1].Vy: 0
	// P[1].Hp: 0
	// P[1].Air: false
	// Grid[0:3]: 0
	// Grid[3]: 9
	// Grid[4:1024]: 0
}

func ExamplePlan_Gaps() {
	plan, err := canon.PlanFor[State]()
	if err != nil {
		panic(err)
	}
	for _, gap := range plan.Gaps() {
		fmt.Println(gap)
	}
	// Output:
	// P[*].Air: 1 byte (padding) at offset 15, 2 times
	// Shake: 4 bytes (excluded) at offset 1052
}

func ExampleDiffAny() {
	type Node struct {
		Name string
		Next *Node
	}
	type World struct {
		Head  *Node
		Items map[string]int
	}
	a := World{&Node{"ada", nil}, map[string]int{"sword": 1}}
	b := World{&Node{"bob", nil}, nil}
	b.Head.Next = b.Head
	report, err := canon.DiffAny(a, b, 10)
	if err != nil {
		panic(err)
	}
	fmt.Println(report)
	// Output:
	// Items: map[string]int of length 1 != map[string]int of length 0
	// Head.Name: "ada" != "bob"
	// Head.Next: nil != *canon_test.Node
}

// Two machines begin alike. One sends a later state to the other, which goes on from there.
func ExampleOrigin() {
	type Ship struct {
		Hull   int
		Target *Ship
	}
	type Battle struct {
		Ships []*Ship
		Log   func(string) // stays where it is
	}
	saver, err := canon.SaverFor[Battle](canon.Leave("Battle.Log"), canon.Encoded())
	if err != nil {
		panic(err)
	}
	begin := func(name string) *Battle {
		return &Battle{Ships: []*Ship{{Hull: 100}}, Log: func(text string) { fmt.Println(name+":", text) }}
	}
	here, there := begin("here"), begin("there")
	from, err := saver.Origin(here)
	if err != nil {
		panic(err)
	}
	to, err := saver.Origin(there)
	if err != nil {
		panic(err)
	}

	here.Ships = append(here.Ships, &Ship{Hull: 30, Target: here.Ships[0]})
	encoded, err := from.Marshal(nil, here)
	if err != nil {
		panic(err)
	}
	if err := to.Unmarshal(there, encoded); err != nil {
		panic(err)
	}
	there.Ships[1].Target.Hull -= 10
	there.Log(fmt.Sprint(there.Ships[0].Hull))
	// Output:
	// there: 90
}

func ExampleFNV32() {
	h := canon.NewFNV32()
	for _, field := range []int32{100, -5, 3} {
		h = h.Add(uint32(field))
	}
	fmt.Printf("%08x\n", h.Sum())
	// Output:
	// d2b3df81
}
