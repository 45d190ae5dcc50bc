-- Pong for two machines in LÖVE; the other may run any of the examples beside this one.
--
--   love . 0 0.0.0.0:7000 other:7000 [--net awful] [--frames 600] [--bot] [--picture FILE]
--
-- Player 0 plays with W and S or the arrows, and player 1 as well. With --bot a computer plays. --picture writes a picture of
-- frame 120.

local source = love.filesystem.getSource()
package.path = source .. "/../lua/?.lua;" .. source .. "/../../lua/?.lua;" .. package.path
local ffi, tickback, pong = require "ffi", require "tickback", require "rules"

local s, me, bot, picture, calls = nil, 0, false, nil, 0
local pocks, flashes = 0, {} -- how often the ball was hit, and where that is to be seen
local said = "waiting for the other player"

function love.load(args)
  me = tonumber(args[1])
  local options = { me = me, listen = args[2], others = { args[3] }, seed = 7, connect_ms = 120000, drop_ms = 30000 }
  local i = 4
  while args[i] do
    if args[i] == "--bot" then bot = true
    elseif args[i] == "--net" then options.net, i = args[i + 1], i + 1
    elseif args[i] == "--frames" then options.frames, i = tonumber(args[i + 1]), i + 1
    elseif args[i] == "--picture" then picture, i = args[i + 1], i + 1
    else error("there is no " .. args[i]) end
    i = i + 1
  end
  s = tickback.p2p(pong.game(), options)
end

local function keys()
  if bot then return pong.bot(s:state(), me, calls) end
  return (love.keyboard.isDown("w", "up") and pong.UP or 0) + (love.keyboard.isDown("s", "down") and pong.DOWN or 0)
end

function love.update()
  if s.over then return end
  s:set_input(string.char(keys()))
  s:update()
  calls = calls + 1
  for _, text in function() return s:event() end do said = text end
  for effect, payload in function() return s:effect() end do
    local known = effect.key .. ":" .. effect.from
    if effect.what == tickback.EFFECT_STARTED and effect.late < 8 then
      flashes[known] = { side = effect.key, y = ffi.cast("const int32_t *", payload)[0], left = 12 }
    elseif effect.what == tickback.EFFECT_MOVED then
      flashes[effect.key .. ":" .. effect.frame], flashes[known] = flashes[known], nil
    elseif effect.what == tickback.EFFECT_CANCELLED then flashes[known] = nil -- it never happened
    elseif effect.what == tickback.EFFECT_CONFIRMED then pocks = pocks + 1 end
  end
  for key, flash in pairs(flashes) do
    flash.left = flash.left - 1
    if flash.left < 0 then flashes[key] = nil end
  end
  if s.over then
    local final, stats, outcome = s:state(), s:stats(), s:outcome()
    print(("frames %d score %d:%d health %d sum %s rollbacks %d resimulated %d pocks %d"):format(outcome.frames, final.score[0], final.score[1],
      outcome.health, pong.checksum(final), tonumber(stats.rollbacks), tonumber(stats.resimulated), pocks))
    if bot then love.event.quit() end
  end
end

function love.draw()
  local width, height = love.graphics.getDimensions()
  local state = s:state()
  local x, y = width / pong.WIDTH, height / pong.HEIGHT
  love.graphics.clear(0.07, 0.08, 0.11)
  love.graphics.setColor(0.35, 0.38, 0.45)
  for row = 0, height, 24 do love.graphics.rectangle("fill", width / 2 - 1, row, 2, 12) end
  love.graphics.print(said, 12, height - 24)
  if not state then return end
  love.graphics.setColor(0.95, 0.95, 0.9)
  love.graphics.printf(("%d : %d"):format(state.score[0], state.score[1]), 0, 16, width / 2, "center", 0, 2, 2)
  love.graphics.rectangle("fill", 256 * x, state.paddle[0] * y, 256 * x, pong.PADDLE * y)
  love.graphics.rectangle("fill", width - 512 * x, state.paddle[1] * y, 256 * x, pong.PADDLE * y)
  love.graphics.setColor(1, 0.75, 0.2)
  for _, flash in pairs(flashes) do
    love.graphics.circle("line", flash.side == 1 and width - 512 * x or 512 * x, flash.y * y, 40 - 2 * flash.left)
  end
  love.graphics.circle("fill", state.ball.x * x, state.ball.y * y, 7)
  if picture and s:stats().frame >= 120 then
    local file = picture
    picture = nil
    love.graphics.captureScreenshot(function(image)
      local out = assert(io.open(file, "wb"))
      out:write(image:encode("png"):getString())
      out:close()
    end)
  end
end

function love.quit()
  if s then s:close() end
end
