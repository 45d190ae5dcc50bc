-- Pong for two machines, played by computers; the other may run examples/c or examples/python.
--
--   luajit pong.lua 0 0.0.0.0:7000 other:7000 [--net awful] [--frames 600] [--tables]

local here = arg[0]:match "^(.*)[/\\]" or "."
package.path = here .. "/?.lua;" .. here .. "/../../lua/?.lua;" .. package.path
local tickback, pong = require "tickback", require "rules"

local me, options = tonumber(arg[1]), { seed = 7, connect_ms = 120000, drop_ms = 30000 }
options.me, options.listen, options.others = me, arg[2], { arg[3] }
local game, live, bytes = nil, nil, nil
if arg[#arg] == "--tables" then -- the state is a table of Lua, which the game saves itself
  game, live, bytes = pong.tables()
  arg[#arg] = nil
end
for i = 4, #arg, 2 do
  if arg[i] == "--net" then options.net = arg[i + 1]
  elseif arg[i] == "--frames" then options.frames = tonumber(arg[i + 1])
  else error("there is no " .. arg[i]) end
end

local s, calls, pocks = tickback.p2p(game or pong.game(), options), 0, 0
while not s.over do
  s:set_input(string.char(pong.bot(live and live() or s:state(), me, calls)))
  local wait = s:update()
  for _, text in function() return s:event() end do io.stderr:write(text, "\n") end
  for effect in function() return s:effect() end do
    if effect.what == tickback.EFFECT_STARTED then io.stderr:write "pock\n" end
    if effect.what == tickback.EFFECT_CONFIRMED then pocks = pocks + 1 end
  end
  if not s.over then s:wait(wait) end
  calls = calls + 1
end
local final, stats, outcome = live and live() or s:state(), s:stats(), s:outcome()
print(("frames %d score %d:%d health %d sum %s rollbacks %d resimulated %d pocks %d"):format(outcome.frames, final.score[0], final.score[1],
  outcome.health, pong.checksum(bytes and bytes(final) or final), tonumber(stats.rollbacks), tonumber(stats.resimulated), pocks))
s:close()
