// Package many is a game for the verdict: proved but for.
package many

import "github.com/tickback/tickback/rollback"

type state struct{ n int32 }

type input struct{}

type tick = rollback.Tick[input]

var game = rollback.Game[state, input]{Step: func(s *state, t *tick) {
	for _, f := range table {
		f(s, 1) // want unproved
	}
}}

var table = []func(s *state, by uint16){
	f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39, f40, f41, f42, f43, f44, f45, f46, f47, f48, f49, f50, f51, f52, f53, f54, f55, f56, f57, f58, f59, f60, f61, f62, f63, f64, f65,
}

func f0(s *state, by uint16) { s.n += int32(by) }

func f1(s *state, by uint16) { s.n += int32(by) }

func f2(s *state, by uint16) { s.n += int32(by) }

func f3(s *state, by uint16) { s.n += int32(by) }

func f4(s *state, by uint16) { s.n += int32(by) }

func f5(s *state, by uint16) { s.n += int32(by) }

func f6(s *state, by uint16) { s.n += int32(by) }

func f7(s *state, by uint16) { s.n += int32(by) }

func f8(s *state, by uint16) { s.n += int32(by) }

func f9(s *state, by uint16) { s.n += int32(by) }

func f10(s *state, by uint16) { s.n += int32(by) }

func f11(s *state, by uint16) { s.n += int32(by) }

func f12(s *state, by uint16) { s.n += int32(by) }

func f13(s *state, by uint16) { s.n += int32(by) }

func f14(s *state, by uint16) { s.n += int32(by) }

func f15(s *state, by uint16) { s.n += int32(by) }

func f16(s *state, by uint16) { s.n += int32(by) }

func f17(s *state, by uint16) { s.n += int32(by) }

func f18(s *state, by uint16) { s.n += int32(by) }

func f19(s *state, by uint16) { s.n += int32(by) }

func f20(s *state, by uint16) { s.n += int32(by) }

func f21(s *state, by uint16) { s.n += int32(by) }

func f22(s *state, by uint16) { s.n += int32(by) }

func f23(s *state, by uint16) { s.n += int32(by) }

func f24(s *state, by uint16) { s.n += int32(by) }

func f25(s *state, by uint16) { s.n += int32(by) }

func f26(s *state, by uint16) { s.n += int32(by) }

func f27(s *state, by uint16) { s.n += int32(by) }

func f28(s *state, by uint16) { s.n += int32(by) }

func f29(s *state, by uint16) { s.n += int32(by) }

func f30(s *state, by uint16) { s.n += int32(by) }

func f31(s *state, by uint16) { s.n += int32(by) }

func f32(s *state, by uint16) { s.n += int32(by) }

func f33(s *state, by uint16) { s.n += int32(by) }

func f34(s *state, by uint16) { s.n += int32(by) }

func f35(s *state, by uint16) { s.n += int32(by) }

func f36(s *state, by uint16) { s.n += int32(by) }

func f37(s *state, by uint16) { s.n += int32(by) }

func f38(s *state, by uint16) { s.n += int32(by) }

func f39(s *state, by uint16) { s.n += int32(by) }

func f40(s *state, by uint16) { s.n += int32(by) }

func f41(s *state, by uint16) { s.n += int32(by) }

func f42(s *state, by uint16) { s.n += int32(by) }

func f43(s *state, by uint16) { s.n += int32(by) }

func f44(s *state, by uint16) { s.n += int32(by) }

func f45(s *state, by uint16) { s.n += int32(by) }

func f46(s *state, by uint16) { s.n += int32(by) }

func f47(s *state, by uint16) { s.n += int32(by) }

func f48(s *state, by uint16) { s.n += int32(by) }

func f49(s *state, by uint16) { s.n += int32(by) }

func f50(s *state, by uint16) { s.n += int32(by) }

func f51(s *state, by uint16) { s.n += int32(by) }

func f52(s *state, by uint16) { s.n += int32(by) }

func f53(s *state, by uint16) { s.n += int32(by) }

func f54(s *state, by uint16) { s.n += int32(by) }

func f55(s *state, by uint16) { s.n += int32(by) }

func f56(s *state, by uint16) { s.n += int32(by) }

func f57(s *state, by uint16) { s.n += int32(by) }

func f58(s *state, by uint16) { s.n += int32(by) }

func f59(s *state, by uint16) { s.n += int32(by) }

func f60(s *state, by uint16) { s.n += int32(by) }

func f61(s *state, by uint16) { s.n += int32(by) }

func f62(s *state, by uint16) { s.n += int32(by) }

func f63(s *state, by uint16) { s.n += int32(by) }

func f64(s *state, by uint16) { s.n += int32(by) }

func f65(s *state, by uint16) { s.n += int32(by) }
