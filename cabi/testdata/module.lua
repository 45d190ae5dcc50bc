-- The module for LuaJIT: matches, errors and reports. arg[1] is the folder cabi, arg[2] one for a recording.

package.path = arg[1] .. "/lua/?.lua;" .. arg[1] .. "/examples/lua/?.lua;" .. package.path
local tickback, pong = require "tickback", require "rules"

local function play(game, options)
  options.players, options.seed = 2, 7
  local s = tickback.synctest(game, options)
  for f = 0, math.huge do
    if s.over then break end
    for p = 0, 1 do s:set_input(string.char(math.floor(f / (9 + p)) % 3), p) end
    s:advance()
  end
  local sum = pong.checksum(s:state())
  assert(s:stats().frame == options.frames and s:outcome().over == 1)
  s:close()
  s:close()
  return sum
end

local file = arg[2] .. "/match.tbr"
local sum = play(pong.game(), { frames = 100, record = file })
assert(sum == play(pong.game(), { frames = 100 }))

local s = tickback.replay(pong.game(), {}, file)
while not s.over do s:advance() end
assert(pong.checksum(s:state()) == sum and s:outcome().health == tickback.HEALTHY and s:desync_report() == "")
s:seek(50)
assert(pong.checksum(s:state()) ~= sum)
s:close()

-- Effects: each hit of the ball is heard once.
s = tickback.synctest(pong.game(), { players = 2, seed = 7, frames = 300 })
local hits, certain = 0, 0
while not s.over do
  for p = 0, 1 do s:set_input(string.char(pong.bot(s:state(), p, s:stats().frame)), p) end
  s:advance()
  for effect, payload in function() return s:effect() end do
    assert(effect.kind == pong.POCK and #payload == 32)
    if effect.what == tickback.EFFECT_STARTED then hits = hits + 1 end
    if effect.what == tickback.EFFECT_CONFIRMED then certain = certain + 1 end
  end
end
assert(hits > 0 and certain > 0 and certain <= hits) -- the last frames of a sync test run again, and are not certain
s:close()

-- Errors: of the game, as it made them, and of the library, with a code.
local function fails(what, words)
  local fine, thrown = pcall(what)
  assert(not fine and tostring(thrown):find(words, 1, true), tostring(thrown))
  return thrown
end
local reason = {}
local fine, thrown = pcall(play, pong.game(function(step, state, tick)
  step(state, tick)
  if tick.frame == 20 then error(reason) end
end), { frames = 100 })
assert(not fine and thrown == reason)
local count = 0
local e = fails(function()
  play(pong.game(function(step, state, tick)
    step(state, tick)
    count = count + 1
    state.score[1] = count
  end), { frames = 100 })
end, "score[1]")
assert(e.code == -8)
assert(fails(function() play(pong.game(), { frames = 100, record = file }) end, "exists").code == -9)
fails(function() tickback.p2p(pong.game(), { me = 0, listen = "nowhere", others = { "127.0.0.1:9" } }) end, "address")
fails(function() play(pong.game(function(_, _, t) t:emit(9, 0) end), { frames = 1 }) end, "kind 9")
fails(function() play(pong.game(function(_, _, t) t:emit(1, 0, ("x"):rep(33)) end), { frames = 1 }) end, "32 bytes")
fails(function() play(pong.game(), { frames = 1, speed = 3 }) end, "speed")

-- Orders, pauses, and data of the match.
local given, begun = "", nil
local talking = pong.game(function(step, state, tick)
  step(state, tick)
  if tick.resimulating == 0 then given = given .. tick:orders_of(0) end
end)
local first = talking.init
talking.init = function(state, seed, match)
  begun = require "ffi".string(match.data, match.data_len)
  first(state, seed)
end
s = tickback.synctest(talking, { players = 2, seed = 7, max_orders = 8, data = "stage two" })
s:set_orders("left", 0)
s:set_orders("right", 0)
for _ = 1, 5 do s:advance() end
assert(given == "leftright" and begun == "stage two" and s:proposal().data_len == 9)
s:pause()
for _ = 1, 5 do s:advance() end
local at = s:stats().frame
s:unpause()
while s:stats().frame == at do s:advance() end
assert(fails(function() s:accept() end, "proposal").code == -13)
assert(fails(function() s:kick(1, "rude") end, "").code == -13)
fails(function() s:set_orders("too much of it", 0) end, "must be 1 to 8")
s:close()

-- Tables as the state, which the game saves itself: the same match, and what it can do wrong.
local function tables(change)
  local game, live, marshal = pong.tables()
  if change then change(game.own, live) end
  game.step = game.own.step
  local s = tickback.synctest(game, { players = 2, seed = 7, frames = 100, record = not change and arg[2] .. "/tables.tbr" or nil })
  for f = 0, math.huge do
    if s.over then break end
    for p = 0, 1 do s:set_input(string.char(math.floor(f / (9 + p)) % 3), p) end
    s:advance()
  end
  assert(s:state() == nil)
  s:close()
  return pong.checksum(marshal(live()))
end
assert(tables() == sum)
local game, live, marshal = pong.tables()
s = tickback.replay(game, {}, arg[2] .. "/tables.tbr")
while not s.over do s:advance() end
assert(pong.checksum(marshal(live())) == sum and s:outcome().health == tickback.HEALTHY)
s:seek(50)
assert(pong.checksum(marshal(live())) ~= sum)
s:close()
local saves = 0
fine, thrown = pcall(tables, function(own)
  local save = own.save
  own.save = function()
    saves = saves + 1
    if saves == 30 then error(reason) end
    return save()
  end
end)
assert(not fine and thrown == reason)
e = fails(function()
  tables(function(own, live)
    local step = own.step
    own.step = function(t)
      step(t)
      count = count + 1
      live().score[1] = count
    end
  end)
end, "score[1]")
assert(e.code == -8)
fails(function() tables(function(own) own.unmarshal = function() return nil end end) end, "unmarshal returned 1")
fails(function() tickback.own_game { id = "x", init = print, step = print, save = print, restore = print } end, "no hash")
fails(function() tickback.own_game { id = "x", init = print, step = print, save = print, restore = print, hash = print, marshal = print } end, "give both")
print "ok"
