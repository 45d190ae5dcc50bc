; Two players collect a dot. The first who has nine of them wins; the emulator's front reads that from memory.
; Written for this example. 16 KiB of program at $C000, 8 KiB of tiles.

pad   = $00   ; and $01: the buttons of both, A B Select Start Up Down Left Right from the top
px    = $02   ; and $03: where they are
py    = $04
score = $06   ; and $07
dotx  = $08
doty  = $09
seed  = $0A

      org $C000
reset: sei
      cld
      ldx #$40
      stx $4017       ; no interrupts of the sound's clock
      ldx #$FF
      txs
      inx
      stx $2000       ; no interrupts of the picture yet
      stx $2001
      stx $4010
wait1: bit $2002
      bpl wait1
clear: lda #0
      sta $00,x
      lda #$FE        ; below the picture
      sta $0200,x
      inx
      bne clear
wait2: bit $2002
      bpl wait2
      lda #$3F
      sta $2006
      lda #0
      sta $2006
      tax
colour: lda palette,x
      sta $2007
      inx
      cpx #32
      bne colour
      lda #$20        ; an empty background
      sta $2006
      lda #0
      sta $2006
      ldy #4
      tax
blank: sta $2007
      inx
      bne blank
      dey
      bne blank
      lda #60
      sta px
      lda #188
      sta px+1
      lda #120
      sta py
      sta py+1
      lda #$A7
      sta seed
      jsr drop
      lda #0
      sta $2005
      sta $2005
      lda #$80        ; an interrupt for each picture
      sta $2000
      lda #$1E        ; background and sprites
      sta $2001
idle: jmp idle

; once for each picture
frame: lda #0
      sta $2003
      lda #2
      sta $4014       ; the sprites, from $0200
      lda #1
      sta $4016
      lda #0
      sta $4016
      ldx #8
read: lda $4016
      lsr a
      rol pad
      lda $4017
      lsr a
      rol pad+1
      dex
      bne read
      jsr move        ; player 0: x is 0
      inx
      jsr move
      jsr show
      rti

; move moves player x, and gives it the dot if it is there
move: lda pad,x
      and #1
      beq left
      lda px,x
      cmp #240
      bcs left
      inc px,x
      inc px,x
left: lda pad,x
      and #2
      beq down
      lda px,x
      cmp #8
      bcc down
      dec px,x
      dec px,x
down: lda pad,x
      and #4
      beq up
      lda py,x
      cmp #216
      bcs up
      inc py,x
      inc py,x
up:   lda pad,x
      and #8
      beq touch
      lda py,x
      cmp #24
      bcc touch
      dec py,x
      dec py,x
touch: lda px,x
      sec
      sbc dotx
      clc
      adc #8
      cmp #16
      bcs moved
      lda py,x
      sec
      sbc doty
      clc
      adc #8
      cmp #16
      bcs moved
      lda score,x
      cmp #9
      bcs moved
      inc score,x
      jsr drop
moved: rts

; drop puts the dot somewhere else: 8 bits of a shift register are enough for that
drop: lda seed
      asl a
      bcc even
      eor #$1D
even: sta seed
      lsr a
      clc
      adc #48
      sta dotx
      lda seed
      asl a
      bcc odd
      eor #$1D
odd:  sta seed
      lsr a
      clc
      adc #64
      sta doty
      rts

; show writes the sprites: two players, the dot, two scores
show: lda py
      sta $0200
      lda #1
      sta $0201
      lda #0
      sta $0202
      lda px
      sta $0203
      lda py+1
      sta $0204
      lda #1
      sta $0205
      sta $0206
      lda px+1
      sta $0207
      lda doty
      sta $0208
      lda #2
      sta $0209
      sta $020A
      lda dotx
      sta $020B
      lda #16
      sta $020C
      sta $0210
      lda score
      clc
      adc #16         ; the tile of 0
      sta $020D
      lda #0
      sta $020E
      lda #16
      sta $020F
      lda score+1
      clc
      adc #16
      sta $0211
      lda #1
      sta $0212
      lda #232
      sta $0213
none: rts

palette: byte $0F,$00,$10,$30,$0F,$00,$10,$30,$0F,$00,$10,$30,$0F,$00,$10,$30
      byte $0F,$16,$26,$36,$0F,$11,$21,$31,$0F,$28,$38,$30,$0F,$00,$10,$30

last: rti
      org $FFFA
      word frame,reset,last

      tile 1
      .####.
      ######
      ##.##.
      ######
      ######
      #.##.#
      ######
      .#..#.
      tile 2
      ......
      ..##..
      .####.
      ######
      ######
      .####.
      ..##..
      ......
      tile 16
      .###.
      #..##
      #.#.#
      ##..#
      .###.
      tile 17
      ..#..
      .##..
      ..#..
      ..#..
      .###.
      tile 18
      .###.
      #...#
      ..##.
      .#...
      #####
      tile 19
      ####.
      ....#
      .###.
      ....#
      ####.
      tile 20
      #..#.
      #..#.
      #####
      ...#.
      ...#.
      tile 21
      #####
      #....
      ####.
      ....#
      ####.
      tile 22
      .###.
      #....
      ####.
      #...#
      .###.
      tile 23
      #####
      ...#.
      ..#..
      .#...
      .#...
      tile 24
      .###.
      #...#
      .###.
      #...#
      .###.
      tile 25
      .###.
      #...#
      .####
      ....#
      .###.
