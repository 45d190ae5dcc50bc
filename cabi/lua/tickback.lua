-- Rollback netcode for games in LuaJIT, such as those of LÖVE: the C library of Tickback, by FFI.
--
--   local tickback = require "tickback"
--   local pong = tickback.game {
--     id = "pong", input_size = 1,
--     state = "struct { int32_t x[2]; uint8_t serving; }",       -- C, without pointers
--     fields = { {"x", "x", tickback.I32, 2}, {"serving", "serving", tickback.U8} },
--     kinds = { {1, "pock"}, {2, "engine", tickback.SUSTAINED} }, -- of effects that the step emits; may be missing
--     init = function(state, seed) ... end,                       -- seed is a uint64_t
--     step = function(state, tick) ... tick:input(0)[0] ... tick:finish(winner) end,
--     check = function(state) return true end,                    -- may be missing
--   }
--   local s = tickback.p2p(pong, { me = 0, listen = "0.0.0.0:7000", others = { "192.168.1.7:7000" } })
--   while not s.over do s:set_input(keys); s:wait(s:update()); draw(s:state()) end
--   s:close()
--
-- Nothing but the state and the inputs may influence a step. Numbers of Lua are floats: use the bit library, and math.floor,
-- so that what is stored in the state are whole numbers. An error in a function of the game ends the session, and is raised
-- by the call that ran it: the library never calls Lua (TB_PULL in tickback.h).
--
-- The header is looked for in tickback.header, TICKBACK_HEADER, and beside this file; the library at TICKBACK_LIBRARY, and
-- where the system looks for libraries.

local ffi = require "ffi"

local M = { U8 = 1, I8 = 2, U16 = 3, I16 = 4, U32 = 5, I32 = 6, U64 = 7, I64 = 8, F32 = 9, F64 = 10, BOOL = 11,
  SUSTAINED = 1, ONLY_CONFIRMED = 2 }
M.PREDICTED, M.CONFIRMED, M.DISCONNECTED = 0, 1, 2
M.EFFECT_STARTED, M.EFFECT_MOVED, M.EFFECT_UPDATED, M.EFFECT_ENDED, M.EFFECT_CANCELLED, M.EFFECT_CONFIRMED = 1, 2, 3, 4, 5, 6
M.UNVERIFIED, M.HEALTHY, M.DESYNCED = 0, 1, 2

-- The declarations of the header, without what only a C compiler understands.
local function declarations()
  local beside = (debug.getinfo(1, "S").source:match "^@(.*)[/\\]" or ".") .. "/tickback.h"
  local path = os.getenv "TICKBACK_HEADER" or beside
  local file = assert(io.open(path, "r"), "tickback.h is not at " .. path .. ": put it beside tickback.lua, or its path into TICKBACK_HEADER")
  local text = file:read "*a"
  file:close()
  local numbers = {}
  for name, number in text:gmatch "#define (TB_%u[%u_]*) (%d+)" do numbers[name] = number end
  text = text:gsub("/%*.-%*/", " "):gsub("#[^\n]*\\\n[^\n]*", ""):gsub("#[^\n]*", "")
  text = text:gsub('extern "C" {', ""):gsub("\n}%s*$", "\n")
  return (text:gsub("static inline[^{]*%b{}", ""):gsub("%[(TB_%u[%u_]*)%]", function(name) return "[" .. numbers[name] .. "]" end))
end

ffi.cdef(declarations())
local lib = ffi.load(os.getenv "TICKBACK_LIBRARY" or "libtickback.so.1")
M.lib = lib

-- Raises the error of a call: a table with the code, which is text for people in print.
local failure = { __tostring = function(e) return e.text end }
local function must(result)
  if result < 0 then error(setmetatable({ code = tonumber(result), text = ffi.string(lib.tb_error()) }, failure), 0) end
  return result
end

-- Ticks: what a step sees of its frame besides the state. They are valid during the step.
ffi.metatype("tb_tick", { __index = {
  input = function(t, player)
    assert(player >= 0 and player < t.players, "there is no such player")
    return t.inputs + player * t.input_size
  end,
  disconnected = function(t, player)
    assert(player >= 0 and player < t.players, "there is no such player")
    return t.status[player] == M.DISCONNECTED
  end,
  finish = function(t, result)
    t.result = result or 0
    t.finished = 1
  end,
  -- The orders of a player in this frame, a string, which is mostly empty. (orders is the member of the struct.)
  orders_of = function(t, player)
    assert(player >= 0 and player < t.players, "there is no such player")
    return t.max_orders > 0 and ffi.string(t.orders + player * t.max_orders, t.orders_len[player]) or ""
  end,
  -- Says that something is to be seen or heard in this frame: see tb_emit in tickback.h. payload is a string of at most 32 bytes.
  emit = function(t, kind, key, payload)
    payload = payload or ""
    assert(#payload <= 32, "the payload of an effect has more than 32 bytes")
    assert(t.effects_cap > 0, "the game has no kinds of effects")
    local i = 0
    while i < t.effects_len and (t.effects[i].kind ~= kind or t.effects[i].key ~= key) do i = i + 1 end
    if i == t.effects_len then
      if i == t.effects_cap then return end -- as documented: more than a frame can have
      t.effects_len = i + 1
    end
    local e = t.effects[i]
    e.kind, e.key = kind, key
    ffi.fill(e.payload, 32)
    ffi.copy(e.payload, payload, #payload)
  end,
} })

-- Makes what all games have in common, as C takes it.
local function describe(made, g)
  local kinds = g.kinds or {}
  made.kinds = ffi.new("tb_kind[?]", math.max(#kinds, 1))
  for i, k in ipairs(kinds) do made.kinds[i - 1] = { k[2], k[1], k[3] or 0 } end
  made.description = ffi.new "tb_game"
  local d = made.description
  d.size, d.id, d.input_size = ffi.sizeof "tb_game", g.id, g.input_size or 1
  d.kinds, d.kinds_len = made.kinds, #kinds
  return d
end

-- Makes a game of a table whose state is any values of Lua, and no struct: { id, input_size, kinds, size = about how many bytes a saved
-- state takes, init = function(seed), step = function(tick), save = function() return a copy of the live state end, restore =
-- function(saved) end, hash = function(saved) return a uint64_t end, and, if somebody may come late, marshal = function(saved)
-- return a string end, unmarshal = function(string) return a saved state, or nil to refuse it end; describe = function(saved)
-- return lines of "name: value" end }. What save returns may share nothing with the live state that step changes, and neither
-- may what restore makes of it. Such a game is not for serve and connect, and two sessions need two of them.
function M.own_game(g)
  for _, name in ipairs { "init", "step", "save", "restore", "hash" } do assert(g[name], "the game has no " .. name) end
  assert(not g.marshal == not g.unmarshal, "a game with one of marshal and unmarshal: give both, or none")
  local made = { own = g, init = g.init, step = g.step, form = ffi.new "tb_own", source = g }
  made.form.size, made.form.flags = ffi.sizeof "tb_own", 1 + (g.marshal and 2 or 0) + (g.describe and 4 or 0)
  describe(made, g)
  made.description.own, made.description.state_size = made.form, g.size or 1024
  return made
end

-- Does what is asked of such a game.
local function answer(s, q)
  local own, slot = s.game.own, q.slot
  local function saved() return slot == 0xffffffff and own.save() or s.saved[slot] end
  if q.want == lib.TB_SAVE then s.saved[slot] = own.save()
  elseif q.want == lib.TB_RESTORE then own.restore(s.saved[slot])
  elseif q.want == lib.TB_RELEASE then s.saved[slot] = nil
  elseif q.want == lib.TB_HASH then q.hash = own.hash(saved())
  elseif q.want == lib.TB_UNMARSHAL then
    local made = own.unmarshal(ffi.string(q.bytes, q.len))
    if made == nil then q.answer = 1 else own.restore(made) end
  elseif q.want == lib.TB_MARSHAL or q.want == lib.TB_DESCRIBE then
    s.bytes = q.want == lib.TB_MARSHAL and own.marshal(saved()) or own.describe(saved()) -- which lives until the next one
    q.bytes, q.len = ffi.cast("void *", ffi.cast("const char *", s.bytes)), #s.bytes
  else error "this module is older than the library" end
end

-- Makes a game of a table: see above.
function M.game(g)
  local made = { type = ffi.typeof(g.state), init = g.init, step = assert(g.step, "the game has no step"), check = g.check }
  made.pointer = ffi.typeof("$*", made.type)
  local fields = g.fields or {}
  made.fields = ffi.new("tb_field[?]", math.max(#fields, 1))
  for i, f in ipairs(fields) do
    local offset = assert(ffi.offsetof(made.type, f[2]), "the state has no " .. f[2])
    made.fields[i - 1] = { f[1], offset + (f.offset or 0), f[3], f[4] or 1 }
  end
  local d = describe(made, g)
  d.state_size, d.fields, d.fields_len, d.flags = ffi.sizeof(made.type), made.fields, #fields, #fields > 0 and 1 or 0
  made.source = g -- the texts live as long as the game
  return made
end

local session = {}
session.__index = session

-- Does what the session asks for until the call has a result.
local function run(s, result)
  while result == lib.TB_REQUEST do
    local q = lib.tb_requested(s.handle)
    local state = not s.game.own and ffi.cast(s.game.pointer, q.state)
    local fine, thrown = pcall(function()
      if s.game.own then
        if q.want == lib.TB_STEP then s.game.step(q.tick)
        elseif q.want == lib.TB_INIT then s.game.init(q.seed, q.match)
        else answer(s, q) end
      elseif q.want == lib.TB_STEP then s.game.step(state, q.tick)
      elseif q.want == lib.TB_INIT then if s.game.init then s.game.init(state, q.seed, q.match) end
      elseif q.want == lib.TB_CHECK then q.answer = (not s.game.check or s.game.check(state)) and 0 or 1
      else error "this module is older than the library" end
    end)
    if not fine then
      s:close() -- no frame can follow one that has not run to its end
      error(thrown, 0)
    end
    result = lib.tb_next(s.handle, s.ns)
  end
  local over = must(result) == lib.TB_OVER
  s.over = over or not s.lobby and s.over
  return tonumber(s.ns[0]) / 1e9
end

local flags = { go_on = 2, lockstep = 4, lobby = 8 }
local function open(call, game, options, before, after)
  local o = ffi.new "tb_options"
  local others = options.others or {}
  local addresses = ffi.new("const char *[?]", math.max(#others, 1), others)
  o.size, o.flags, o.others, o.others_len = ffi.sizeof "tb_options", 1, addresses, #others
  for name, value in pairs(options) do
    if flags[name] then o.flags = o.flags + (value and flags[name] or 0)
    elseif name == "data" then o.data, o.data_len = ffi.cast("const char *", value), #value -- options keep it alive
    elseif name ~= "others" then o[name] = value end
  end
  local out = ffi.new "tb_session *[1]"
  local s = setmetatable({ game = game, ns = ffi.new "int64_t[1]", me = options.me or 0, over = false, lobby = options.lobby, saved = {} }, session)
  local result = call(game.description, o, out)
  s.handle = out[0]
  run(s, result)
  return s
end

for _, name in ipairs { "p2p", "join", "spectate", "serve", "connect" } do
  M[name] = function(game, options) return open(lib["tb_" .. name], game, options) end
end
function M.synctest(game, options, depth)
  return open(function(g, o, s) return lib.tb_synctest(g, o, depth or 7, s) end, game, options)
end
function M.replay(game, options, file)
  return open(function(g, o, s) return lib.tb_replay(g, o, file, s) end, game, options)
end

-- Ends the session and tells the others. A second call does nothing.
function session:close()
  if self.handle ~= nil then
    local handle = self.handle
    self.handle = nil
    must(lib.tb_close(handle))
  end
end

-- What the player here does from the next frame on: a string of input_size bytes. player is for synctest.
function session:set_input(bytes, player)
  assert(#bytes == self.game.description.input_size, "an input has " .. self.game.description.input_size .. " bytes")
  must(lib.tb_set_input(self.handle, player or self.me, bytes))
end

-- Runs the frames that are due, and returns for how many seconds nothing will be.
function session:update() return run(self, lib.tb_update(self.handle, self.ns)) end
-- Runs one frame, if it can run, and returns the seconds until the next one.
function session:advance() return run(self, lib.tb_advance(self.handle, self.ns)) end
function session:wait(seconds) run(self, lib.tb_wait(self.handle, seconds * 1e9)) end
function session:poll() run(self, lib.tb_poll(self.handle)) end
function session:seek(frame) run(self, lib.tb_seek(self.handle, frame)) end

-- Gives orders, a string, which go with the next frame that has none. player is for synctest.
function session:set_orders(bytes, player) must(lib.tb_set_orders(self.handle, player or self.me, bytes, #bytes)) end

-- What is described at tb_pause, tb_kick and so on in tickback.h. They change nothing about s.over.
local function tell(s, result)
  local over = s.over
  run(s, result)
  s.over = over
end
function session:pause() tell(self, lib.tb_pause(self.handle)) end
function session:unpause() tell(self, lib.tb_unpause(self.handle)) end
function session:kick(player, why) tell(self, lib.tb_kick(self.handle, player, why)) end
function session:set_token(token) tell(self, lib.tb_set_token(self.handle, token)) end
function session:set_delay(frames) tell(self, lib.tb_set_delay(self.handle, frames)) end
-- players is a number with a bit for each; the message arrives as the third result of event.
function session:send(players, bytes) tell(self, lib.tb_send(self.handle, players, bytes, #bytes)) end
-- Proposes a match, in a lobby, as the host: { seed, frames, content, data = a string }.
function session:propose(options)
  local m, data = ffi.new "tb_match", options.data or ""
  m.size, m.seed, m.frames, m.content = ffi.sizeof(m), options.seed or 0, options.frames or 0, options.content or 0
  m.data, m.data_len = ffi.cast("const char *", data), #data
  tell(self, lib.tb_propose(self.handle, m))
end
function session:accept() tell(self, lib.tb_accept(self.handle)) end
function session:refuse(why) tell(self, lib.tb_refuse(self.handle, why)) end

-- The newest state, to be drawn, or nil: valid until the next call. Do not change it.
function session:state()
  if self.game.own then return nil end -- it has its state itself
  local at = lib.tb_state(self.handle)
  return at ~= nil and ffi.cast(self.game.pointer, at) or nil
end

local function filled(kind, get)
  return function(s)
    local f = ffi.new(kind)
    f.size = ffi.sizeof(f)
    must(get(s.handle, f))
    return f
  end
end
session.stats = filled("tb_stats", function(h, f) return lib.tb_get_stats(h, f) end)
-- The tb_match that is proposed or played: read its data, of data_len bytes, before the next call.
session.proposal = filled("tb_match", function(h, f) return lib.tb_get_proposal(h, f) end)
session.outcome = filled("tb_outcome", function(h, f) return lib.tb_get_outcome(h, f) end)

-- The oldest event that has not been taken, its text for people, and the message if it is one; or nil.
function session:event()
  local e = ffi.new "tb_event"
  e.size = ffi.sizeof(e)
  if must(lib.tb_get_event(self.handle, e)) == 0 then return nil end
  local size = lib.tb_get_message(self.handle, nil, 0)
  if size == 0 then return e, ffi.string(e.text) end
  local message = ffi.new("char[?]", size)
  lib.tb_get_message(self.handle, message, size)
  return e, ffi.string(e.text), ffi.string(message, size)
end

-- The oldest change of an effect that has not been taken, a tb_effect, and its payload, a string of 32 bytes; or nil.
function session:effect()
  local e = ffi.new "tb_effect"
  e.size = ffi.sizeof(e)
  if must(lib.tb_get_effect(self.handle, e)) == 0 then return nil end
  return e, ffi.string(e.payload, 32)
end

-- The report on a desync, or an empty text.
function session:desync_report()
  local size = tonumber(lib.tb_desync_report(self.handle, nil, 0)) + 1
  local text = ffi.new("char[?]", size)
  lib.tb_desync_report(self.handle, text, size)
  return ffi.string(text)
end

return M
