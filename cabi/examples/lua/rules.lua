-- Pong for two: the rules of examples/c, bit for bit, for LuaJIT and LÖVE.

local bit = require "bit"
local ffi = require "ffi"
local tickback = require "tickback"

local M = { WIDTH = 64 * 256, HEIGHT = 24 * 256, PADDLE = 5 * 256, SPEED = 160, GOALS = 7, UP = 1, DOWN = 2, POCK = 1 }
local highest = M.HEIGHT - M.PADDLE

-- The next number of the generator in the state: the only random numbers that a step may use.
local function random(s)
  local r = s.random
  r = bit.bxor(r, bit.lshift(r, 13))
  r = bit.bxor(r, bit.rshift(r, 17))
  r = bit.bxor(r, bit.lshift(r, 5)) % 4294967296
  s.random = r
  return r
end

local function serve(s)
  s.ball.x, s.ball.y = M.WIDTH / 2, M.HEIGHT / 2
  s.ball.dx = random(s) % 2 == 1 and M.SPEED or -M.SPEED
  s.ball.dy = random(s) % 201 - 100
  s.serving = 45
end

local function init(s, seed)
  local mixed = bit.bxor(seed, bit.rshift(seed, 32))
  s.random = bit.bor(tonumber(bit.band(mixed, 0xffffffffULL)), 1) % 4294967296
  s.paddle[0], s.paddle[1] = highest / 2, highest / 2
  serve(s)
end

local function step(s, t)
  for p = 0, 1 do
    local keys = t:input(p)[0]
    local to = s.paddle[p]
    if bit.band(keys, M.UP) ~= 0 then to = to - 128 end
    if bit.band(keys, M.DOWN) ~= 0 then to = to + 128 end
    s.paddle[p] = math.min(math.max(to, 0), highest)
  end
  if s.serving > 0 then
    s.serving = s.serving - 1
    return
  end
  local b = s.ball
  b.x, b.y = b.x + b.dx, b.y + b.dy
  if b.y < 0 or b.y >= M.HEIGHT then
    b.dy = -b.dy
    b.y = b.y + 2 * b.dy
  end
  local side = b.dx > 0 and 1 or 0
  local ahead = side == 1 and b.x - (M.WIDTH - 512) or 512 - b.x
  local hit = b.y - s.paddle[side]
  if ahead >= 0 and ahead < M.SPEED and hit >= 0 and hit < M.PADDLE then
    local away = hit - M.PADDLE / 2
    b.dx = -b.dx
    b.dy = b.dy + (away >= 0 and math.floor(away / 8) or -math.floor(-away / 8)) -- as C divides
    t:emit(M.POCK, side, ffi.string(ffi.new("int32_t[1]", b.y), 4))
  end
  if b.x < 0 or b.x >= M.WIDTH then
    s.score[1 - side] = s.score[1 - side] + 1
    if s.score[1 - side] >= M.GOALS then t:finish(1 - side) end
    serve(s)
  end
end

local function check(s)
  for p = 0, 1 do
    if s.paddle[p] < 0 or s.paddle[p] > highest or s.score[p] < 0 or s.score[p] > M.GOALS then return false end
  end
  local b = s.ball
  return s.random ~= 0 and math.abs(b.dx) == M.SPEED and b.x >= -M.SPEED and b.x <= M.WIDTH + M.SPEED and math.abs(b.dy) <= 2 ^ 20
    and math.abs(b.y) <= 2 ^ 21
end

-- Makes the game; a test gives another step.
function M.game(other)
  local I32 = tickback.I32
  return tickback.game {
    id = "tickback.example.pong", input_size = 1,
    state = "struct { struct { int32_t x, y, dx, dy; } ball; int32_t paddle[2], score[2]; uint32_t random; uint8_t serving; }",
    fields = {
      { "ball.x", "ball", I32 }, { "ball.y", "ball", I32, offset = 4 }, { "ball.dx", "ball", I32, offset = 8 },
      { "ball.dy", "ball", I32, offset = 12 }, { "paddle", "paddle", I32, 2 }, { "score", "score", I32, 2 },
      { "random", "random", tickback.U32 }, { "serving", "serving", tickback.U8 },
    },
    kinds = { { M.POCK, "pock" } },
    init = init, step = other and function(s, t) return other(step, s, t) end or step, check = check,
  }
end

-- The same with tables as the state, which the game saves itself. As bytes they are what the struct has. The second result is
-- a function that returns the live state.
function M.tables()
  local struct = ffi.typeof "struct { struct { int32_t x, y, dx, dy; } ball; int32_t paddle[2], score[2]; uint32_t random; uint8_t serving; }"
  local live
  local function copy(s)
    return {
      ball = { x = s.ball.x, y = s.ball.y, dx = s.ball.dx, dy = s.ball.dy }, paddle = { [0] = s.paddle[0], s.paddle[1] },
      score = { [0] = s.score[0], s.score[1] }, random = s.random, serving = s.serving,
    }
  end
  local function marshal(s)
    local packed = ffi.new(struct)
    packed.ball, packed.random, packed.serving = s.ball, s.random, s.serving
    for p = 0, 1 do packed.paddle[p], packed.score[p] = s.paddle[p], s.score[p] end
    return ffi.string(packed, ffi.sizeof(struct))
  end
  return tickback.own_game {
    id = "tickback.example.pong.objects", input_size = 1, kinds = { { M.POCK, "pock" } }, size = 600,
    init = function(seed)
      live = { ball = {}, paddle = {}, score = { [0] = 0, 0 } }
      init(live, seed)
    end,
    step = function(t) step(live, t) end,
    save = function() return copy(live) end,
    restore = function(saved) live = copy(saved) end,
    hash = function(saved) return M.sum(marshal(saved)) end,
    marshal = marshal,
    unmarshal = function(bytes)
      if #bytes ~= ffi.sizeof(struct) then return nil end
      local packed = ffi.new(struct)
      ffi.copy(packed, bytes, #bytes)
      return check(packed) and bytes:sub(-3) == "\0\0\0" and copy(packed) or nil
    end,
    describe = function(s)
      return ("ball.x: %d\nball.y: %d\nscore[0]: %d\nscore[1]: %d\n"):format(s.ball.x, s.ball.y, s.score[0], s.score[1])
    end,
  }, function() return live end, marshal
end

-- What a computer player presses: it follows the ball, and is not always awake.
function M.bot(s, player, calls)
  if not s or (math.floor(calls / 16) + player * 3) % 5 == 0 then return 0 end
  local middle = s.paddle[player] + M.PADDLE / 2
  return s.ball.y < middle - 256 and M.UP or s.ball.y > middle + 256 and M.DOWN or 0
end

-- A checksum of bytes, and one of a state, to compare what two machines have.
function M.sum(bytes)
  local at, h = ffi.cast("const uint8_t *", bytes), 14695981039346656037ULL
  for i = 0, #bytes - 1 do h = bit.bxor(h, at[i] + 0ULL) * 1099511628211ULL end
  return h
end
function M.checksum(s) return bit.tohex(M.sum(type(s) == "string" and s or ffi.string(s, ffi.sizeof(s[0])))) end

return M
