function love.conf(t)
  t.identity, t.window.title = "tickback-pong", "Pong, by Tickback"
  t.window.width, t.window.height = 960, 400
  t.modules.physics, t.modules.audio, t.modules.sound, t.modules.joystick = false, false, false, false
end
