; Two players collect a dot. The emulator's front writes into memory how many of them win, and luck, before the console's first
; frame, and reads from there when somebody has so many. Written for this example. 16 KiB of program at $C000, 8 KiB of tiles.

pad   = $00   ; and $01: the buttons of both, A B Select Start Up Down Left Right from the top
px    = $02   ; and $03: where they are, at their upper left
py    = $04
score = $06   ; and $07: 0 to 99, and then 0 again
dotx  = $08
doty  = $09
seed  = $0A
tens  = $0B   ; of the number that digits has taken apart
bell  = $0C   ; frames until a bell has rung
pitch = $0D   ; of its second note
pace  = $0E   ; frames that somebody has walked
walks = $0F   ; of this frame: is anybody walking?
half  = $10
goal  = $0300 ; how many dots win; 0 for an endless match. Nothing here clears it
luck  = $0301 ; where dots will be; 0 is as good as any

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

; the background, from above: two lines of nothing, a field of 27 lines, nothing, and palette 0 for all of it
      lda #$20
      sta $2006
      lda #0
      sta $2006
      ldx #64
      jsr fill
      lda #3
      ldx #0
      jsr fill
      ldx #0
      jsr fill
      ldx #0
      jsr fill
      ldx #96
      jsr fill
      lda #0
      ldx #96
      jsr fill
      lda #$20        ; its walls: above, below, left, right
      ldy #$40
      jsr seek
      lda #4
      ldx #32
      jsr fill
      lda #$23
      ldy #$80
      jsr seek
      lda #4
      ldx #32
      jsr fill
      lda #4          ; the next byte is the one below
      sta $2000
      lda #$20
      ldy #$40
      jsr seek
      lda #4
      ldx #27
      jsr fill
      lda #$20
      ldy #$5F
      jsr seek
      lda #4
      ldx #27
      jsr fill
      stx $2000
      lda #$20        ; the title
      ldy #$2A
      jsr seek
      lda goal
      beq free
first: lda firstto,x
      sta $2007
      inx
      cpx #9
      bne first
      lda goal
      jsr digits
      tay
      lda tens
      cmp #16
      beq few
      sta $2007
few:  tya
      sta $2007
      jmp ready
free: sta $2007
      sta $2007
letter: lda endless,x
      sta $2007
      inx
      cpx #7
      bne letter

ready: ldx #0         ; the sprites' tiles and palettes never change
tiles: lda sprites,x
      sta $0200,x
      inx
      cpx #60
      bne tiles
      lda #64
      sta px
      lda #176
      sta px+1
      lda #120
      sta py
      sta py+1
      lda luck
      bne lucky
      lda #$A7
lucky: sta seed
      jsr drop
      jsr show
      lda #9          ; a square wave, and noise
      sta $4015
      lda #0
      sta $2005
      sta $2005
      lda #$80        ; an interrupt for each picture
      sta $2000
      lda #$1E        ; background and sprites
      sta $2001
idle: jmp idle

; fill writes a, x times; 0 is 256 times. x is 0 then
fill: sta $2007
      dex
      bne fill
      rts

; seek goes to the place a, y of the background
seek: sta $2006
      sty $2006
      rts

; once for each picture
frame: lda #0
      sta $2003
      sta walks
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
      jsr ring
      jsr step
      rti

; move moves player x, and gives it the dot if it is there
move: lda pad,x
      and #15
      beq right
      inc walks
right: lda pad,x
      and #1
      beq left
      lda px,x
      cmp #232
      bcs left
      inc px,x
      inc px,x
left: lda pad,x
      and #2
      beq down
      lda px,x
      cmp #10
      bcc down
      dec px,x
      dec px,x
down: lda pad,x
      and #4
      beq up
      lda py,x
      cmp #206
      bcs up
      inc py,x
      inc py,x
up:   lda pad,x
      and #8
      beq touch
      lda py,x
      cmp #26
      bcc touch
      dec py,x
      dec py,x
touch: lda px,x
      sec
      sbc dotx
      clc
      adc #14         ; 4 is from left to left if both have the same middle; 10 around that is near enough
      cmp #20
      bcs moved
      lda py,x
      sec
      sbc doty
      clc
      adc #14
      cmp #20
      bcs moved
      lda goal
      beq more
      lda score,x
      cmp goal
      bcs moved
more: inc score,x
      lda score,x
      cmp #100
      bne rings
      lda #0
      sta score,x
rings: jsr drop
      lda #10
      sta bell
      lda pitches,x
      sta pitch
      lda #$46        ; a quarter of a wave, which fades
      sta $4000
      lda #8
      sta $4001
      lda notes,x
      sta $4002
      lda #8
      sta $4003
moved: rts

; ring begins the second note of a bell
ring: lda bell
      beq rung
      dec bell
      lda bell
      cmp #5
      bne rung
      lda pitch
      sta $4002
      lda #8
      sta $4003
rung: rts

; step makes a step heard, every 16 frames
step: lda walks
      beq stands
      inc pace
      lda pace
      and #15
      bne walked
      lda #$02        ; quiet, and fades fast
      sta $400C
      lda #9
      sta $400E
      lda #8
      sta $400F
      rts
stands: lda #12       ; the first step of a walk is heard soon
      sta pace
walked: rts

; drop puts the dot somewhere else: from 28 to 218, and from 40 to 198
drop: jsr draw
      lsr a
      sta half
      lsr a
      clc
      adc half
      adc #28
      sta dotx
      jsr draw
      lsr a
      sta half
      lsr a
      lsr a
      clc
      adc half
      adc #40
      sta doty
      rts

; draw makes another number of seed, and of a: 8 bits of a shift register, each of them new
draw: ldy #8
      lda seed
turn: asl a
      bcc even
      eor #$1D
even: dey
      bne turn
      sta seed
      rts

; digits makes tiles of a number: a is its last digit's, and tens that of the one before
digits: ldy #16
      sty tens
ten:  cmp #10
      bcc ones
      sbc #10
      inc tens
      jmp ten
ones: clc
      adc #16
      rts

; show puts the sprites where they are: the players, of four each, the dot, and the scores
show: lda py
      sta $0200
      sta $0204
      clc
      adc #8
      sta $0208
      sta $020C
      lda px
      sta $0203
      sta $020B
      clc
      adc #8
      sta $0207
      sta $020F
      lda py+1
      sta $0210
      sta $0214
      clc
      adc #8
      sta $0218
      sta $021C
      lda px+1
      sta $0213
      sta $021B
      clc
      adc #8
      sta $0217
      sta $021F
      lda doty
      sta $0220
      lda dotx
      sta $0223
      lda score
      jsr digits
      sta $0229
      lda tens
      sta $0225
      lda score+1
      jsr digits
      sta $0231
      lda tens
      sta $022D
      rts

palette: byte $0F,$0C,$1C,$30,$0F,$0C,$1C,$30,$0F,$0C,$1C,$30,$0F,$0C,$1C,$30
      byte $0F,$06,$16,$30,$0F,$02,$21,$30,$0F,$17,$28,$30,$0F,$00,$10,$30

; of each player: the first note of its bell, and the second one
notes: byte 126,141
pitches: byte 84,105

; F I R S T   T O, and a space
firstto: byte 26,27,28,29,30,0,30,31,0
; E N D L E S S
endless: byte 32,33,34,35,32,29,29

; below, tile, palette (and $40: mirrored), left
sprites: byte $FE,1,0,0, $FE,1,$40,0, $FE,2,0,0, $FE,2,$40,0
      byte $FE,1,1,0, $FE,1,$41,0, $FE,2,1,0, $FE,2,$41,0
      byte $FE,5,2,0
      byte 7,16,0,16, 7,16,0,24, 7,16,1,224, 7,16,1,232
      byte 7,6,0,6, 7,6,1,241

none: rti
      org $FFFA
      word frame,reset,none

; In tiles, - and + are the first two colours of the palette, and # is the third.
      tile 1
      ........
      .....+++
      ...+++++
      ..++++++
      ..+++##+
      .+++##-+
      .+++##-+
      .++++##+
      tile 2
      .+++++++
      .+++++++
      .+++++##
      ..+++++#
      ..-+++++
      ...--+++
      ...---..
      ..----..
      tile 3
      ........
      ........
      ........
      ...-....
      ........
      ........
      ........
      ........
      tile 4
      ++++++.-
      +----..-
      +----..-
      .......-
      ++.+++++
      --.+----
      --.+----
      ........
      tile 5
      ...##...
      ..#++#..
      .#++++-.
      #++++++-
      +++++++-
      .+++++-.
      ..+++-..
      ...--...
      tile 6
      ..+++...
      .+++++..
      +#++#++.
      +-++-++.
      +++++++.
      .+++++..
      .-...-..
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
      tile 26
      #####
      #....
      ####.
      #....
      #....
      tile 27
      .###.
      ..#..
      ..#..
      ..#..
      .###.
      tile 28
      ####.
      #...#
      ####.
      #..#.
      #...#
      tile 29
      .####
      #....
      .###.
      ....#
      ####.
      tile 30
      #####
      ..#..
      ..#..
      ..#..
      ..#..
      tile 31
      .###.
      #...#
      #...#
      #...#
      .###.
      tile 32
      #####
      #....
      ####.
      #....
      #####
      tile 33
      #...#
      ##..#
      #.#.#
      #..##
      #...#
      tile 34
      ####.
      #...#
      #...#
      #...#
      ####.
      tile 35
      #....
      #....
      #....
      #....
      #####
