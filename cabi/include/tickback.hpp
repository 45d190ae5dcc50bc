// tickback.hpp - tickback.h for C++17: sessions that close themselves, errors as exceptions, and steps that may throw.
//
//   struct pong final : tickback::game<state, input> {
//     pong() : game("pong", {TB_FIELD(state, ball.x, TB_I32)}) {}
//     void step(state &s, tickback::tick<input> t) override;
//   };
//   pong game;
//   tb_options options = tickback::options();
//   auto s = tickback::session<pong>::p2p(game, options);
//   while (!s.over()) {
//     s.set_input(keys());
//     auto wait = s.update();
//     draw(s.state());
//     s.wait(wait);
//   }
//
// An exception of init, step or check ends the session, and is thrown by the call that ran it: it never crosses Go.
#ifndef TICKBACK_HPP
#define TICKBACK_HPP

#include "tickback.h"

#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tickback {

// An error of the library: code is one of tb_result, and what() says it in words.
class error : public std::runtime_error {
 public:
  error(tb_result code, const std::string &text) : std::runtime_error(text), code(code) {}
  const tb_result code;
};

// Returns a result that is no error.
inline tb_result must(int result) {
  if (result < 0) throw error(static_cast<tb_result>(result), tb_error());
  return static_cast<tb_result>(result);
}

// Options in which all is zero but the size.
inline tb_options options() {
  tb_options o{};
  o.size = sizeof o;
  return o;
}

// What a step sees of its frame besides the state. It is valid during the step.
template <class Input>
class tick {
 public:
  explicit tick(tb_tick *t) : t_(t) {}
  std::uint32_t frame() const { return t_->frame; }
  std::uint32_t players() const { return t_->players; }
  bool resimulating() const { return t_->resimulating != 0; }
  int status(std::uint32_t player) const { return t_->status[player]; }
  // The input of a player, 0 to players() - 1. It comes from another machine: expect any bytes.
  Input input(std::uint32_t player) const {
    Input in;
    std::memcpy(&in, tb_input(t_, player), sizeof in);
    return in;
  }
  void finish(std::uint64_t result) { tb_finish(t_, result); }
  // The orders of a player, mostly none. They come from another machine: expect any bytes.
  std::string_view orders(std::uint32_t player) const {
    std::uint32_t len = 0;
    const void *at = tb_orders(t_, player, &len);
    return {static_cast<const char *>(at), len};
  }
  // Says that something is to be seen or heard in this frame: see tb_emit. A payload has at most 32 bytes.
  void emit(std::uint32_t kind, std::uint32_t key) { tb_emit(t_, kind, key, nullptr, 0); }
  template <class Payload>
  void emit(std::uint32_t kind, std::uint32_t key, const Payload &payload) {
    static_assert(std::is_trivially_copyable_v<Payload> && sizeof(Payload) <= TB_MAX_PAYLOAD, "a payload is a block of at most 32 bytes");
    tb_emit(t_, kind, key, &payload, sizeof payload);
  }

 private:
  tb_tick *t_;
};

// The payload of an effect, of the type with which it was emitted.
template <class Payload>
Payload payload(const tb_effect &e) {
  static_assert(std::is_trivially_copyable_v<Payload> && sizeof(Payload) <= TB_MAX_PAYLOAD, "a payload is a block of at most 32 bytes");
  Payload p;
  std::memcpy(&p, e.payload, sizeof p);
  return p;
}

// A game. It must live longer than its sessions, which do not copy it.
template <class State, class Input>
class game {
  static_assert(std::is_trivially_copyable_v<State>, "a state is a block of bytes: no pointers, no containers");
  static_assert(std::is_trivially_copyable_v<Input> && sizeof(Input) <= TB_MAX_INPUT, "an input is a block of at most 64 bytes");

 public:
  using state_type = State;
  using input_type = Input;

  // Bytes that no field names are zero after each step: see TB_CLEAR_GAPS. Without fields, all bytes are state. kinds are those
  // of the effects that the step emits.
  explicit game(std::string id, std::vector<tb_field> fields = {}, std::vector<tb_kind> kinds = {})
      : id_(std::move(id)), fields_(std::move(fields)), kinds_(std::move(kinds)) {}
  virtual ~game() = default;
  game(const game &) = delete;
  game &operator=(const game &) = delete;

  virtual void init(State &, std::uint64_t /*seed*/) {}
  // Is called with all that the host has proposed; it calls init.
  virtual void begin(State &s, const tb_match &m) { init(s, m.seed); }
  virtual void step(State &, tick<Input>) = 0;
  // Says whether step can work with a state that comes from another machine, or a file.
  virtual bool check(const State &) { return true; }

  // The game as C takes it.
  tb_game description() {
    tb_game g{};
    g.size = sizeof g;
    g.input_size = sizeof(Input);
    g.state_size = sizeof(State);
    g.id = id_.c_str();
    g.user = this;
    g.begin = [](void *user, void *state, const tb_match *match) {
      return of(user).guard([&] { of(user).begin(*static_cast<State *>(state), *match); }) ? 0 : 1;
    };
    g.step = [](void *user, void *state, tb_tick *t) {
      if (!of(user).guard([&] { of(user).step(*static_cast<State *>(state), tick<Input>(t)); })) tb_fail(t, "an exception");
    };
    g.check = [](void *user, const void *state) {
      bool good = false;
      return of(user).guard([&] { good = of(user).check(*static_cast<const State *>(state)); }) && good ? 0 : 1;
    };
    g.fields = fields_.data();
    g.fields_len = static_cast<std::uint32_t>(fields_.size());
    g.flags = fields_.empty() ? 0 : TB_CLEAR_GAPS;
    g.kinds = kinds_.data();
    g.kinds_len = static_cast<std::uint32_t>(kinds_.size());
    return g;
  }

  // Throws what a callback has thrown since the last time, if anything.
  void rethrow() {
    if (auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
  }

 private:
  static game &of(void *user) { return *static_cast<game *>(user); }

  template <class F>
  bool guard(F &&f) noexcept {
    try {
      f();
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  std::string id_;
  std::vector<tb_field> fields_;
  std::vector<tb_kind> kinds_;
  std::exception_ptr thrown_;
};

// A session of a game. It is closed when it is destroyed, which tells the others, and takes at most 2 s.
template <class Game>
class session {
 public:
  using State = typename Game::state_type;
  using Input = typename Game::input_type;

  static session p2p(Game &g, const tb_options &o) { return open(g, o, tb_p2p); }
  static session join(Game &g, const tb_options &o) { return open(g, o, tb_join); }
  static session spectate(Game &g, const tb_options &o) { return open(g, o, tb_spectate); }
  static session serve(Game &g, const tb_options &o) { return open(g, o, tb_serve); }
  static session connect(Game &g, const tb_options &o) { return open(g, o, tb_connect); }
  static session synctest(Game &g, const tb_options &o, std::uint32_t depth) {
    return open(g, o, [&](auto *game, auto *options, auto **out) { return tb_synctest(game, options, depth, out); });
  }
  static session replay(Game &g, const tb_options &o, const std::string &file) {
    return open(g, o, [&](auto *game, auto *options, auto **out) { return tb_replay(game, options, file.c_str(), out); });
  }

  session(session &&other) noexcept
      : game_(other.game_), s_(std::exchange(other.s_, nullptr)), me_(other.me_), over_(other.over_), lobby_(other.lobby_) {}
  session &operator=(session &&other) noexcept {
    std::swap(game_, other.game_);
    std::swap(s_, other.s_);
    std::swap(me_, other.me_);
    std::swap(over_, other.over_);
    std::swap(lobby_, other.lobby_);
    return *this;
  }
  ~session() { tb_close(s_); }

  // The match is over.
  bool over() const { return over_; }
  // What a player here does from the next frame on; without a number it is tb_options.me.
  void set_input(const Input &in) { set_input(me_, in); }
  void set_input(std::uint32_t player, const Input &in) { must(tb_set_input(s_, player, &in)); }
  // Runs the frames that are due, and returns how long nothing is.
  std::chrono::nanoseconds update() { return run(tb_update); }
  // Runs one frame, if it can run, and returns the time until the next: for an engine that keeps the time.
  std::chrono::nanoseconds advance() { return run(tb_advance); }
  void poll() { must(tb_poll(s_)); }
  void wait(std::chrono::nanoseconds most) { tb_wait(s_, most.count()); }
  void seek(std::uint32_t frame) {
    int r = tb_seek(s_, frame);
    game_->rethrow();
    must(r);
  }
  void set_delay(std::uint32_t frames) { must(tb_set_delay(s_, frames)); }
  // Gives orders, which go with the next frame that has none.
  void set_orders(std::string_view orders) { set_orders(me_, orders); }
  void set_orders(std::uint32_t player, std::string_view orders) {
    must(tb_set_orders(s_, player, orders.data(), static_cast<std::uint32_t>(orders.size())));
  }
  void pause() { must(tb_pause(s_)); }
  void unpause() { must(tb_unpause(s_)); }
  void kick(std::uint32_t player, const std::string &why) { must(tb_kick(s_, player, why.c_str())); }
  void set_token(const std::string &token) { must(tb_set_token(s_, token.c_str())); }
  // players has a bit for each.
  void send(std::uint32_t players, std::string_view message) {
    must(tb_send(s_, players, message.data(), static_cast<std::uint32_t>(message.size())));
  }
  // The message that the last event was about, or an empty one.
  std::string message() const {
    std::string m(tb_get_message(s_, nullptr, 0), '\0');
    tb_get_message(s_, m.data(), m.size());
    return m;
  }
  void propose(const tb_match &m) { told(tb_propose(s_, &m)); }
  void accept() { told(tb_accept(s_)); }
  void refuse(const std::string &why) { must(tb_refuse(s_, why.c_str())); }
  // What is proposed or played: its data is valid until the next call.
  tb_match proposal() const { return filled<tb_match>(tb_get_proposal); }
  int player() { return must_be(tb_player(s_)); }

  // The newest state, or nullptr: valid until the next call that runs frames.
  const State *state() const { return static_cast<const State *>(tb_state(s_)); }

  // The oldest event that has not been taken.
  std::optional<tb_event> event() {
    tb_event e{};
    e.size = sizeof e;
    if (must_be(tb_get_event(s_, &e)) == 0) return std::nullopt;
    return e;
  }
  // The oldest change of an effect that has not been taken: what to play, and to take back.
  std::optional<tb_effect> effect() {
    tb_effect e{};
    e.size = sizeof e;
    if (must_be(tb_get_effect(s_, &e)) == 0) return std::nullopt;
    return e;
  }
  tb_stats stats() const { return filled<tb_stats>(tb_get_stats); }
  tb_outcome outcome() const { return filled<tb_outcome>(tb_get_outcome); }
  // The report on a desync, or an empty text.
  std::string desync_report() const {
    std::string text(tb_desync_report(s_, nullptr, 0), '\0');
    if (!text.empty()) tb_desync_report(s_, text.data(), text.size() + 1);
    return text;
  }

 private:
  session(Game &g, std::uint32_t me) : game_(&g), me_(me) {}

  static int must_be(int result) {
    must(result);
    return result;
  }

  // For calls that may run begin.
  void told(tb_result r) {
    const std::string said = r < 0 ? tb_error() : "";
    game_->rethrow();
    if (r < 0) throw error(r, said);
  }

  template <class Open>
  static session open(Game &g, const tb_options &o, Open &&open) {
    session made(g, o.me);
    made.lobby_ = o.flags & TB_LOBBY;
    const tb_game description = g.description();
    const tb_result r = open(&description, &o, &made.s_);
    g.rethrow();
    must(r);
    return made;
  }

  template <class Call>
  std::chrono::nanoseconds run(Call &&call) {
    std::int64_t ns = 0;
    const tb_result r = call(s_, &ns);
    const std::string said = r < 0 ? tb_error() : "";
    if (r < 0) {
      game_->rethrow();
      throw error(r, said);
    }
    over_ = r == TB_OVER || (over_ && !lobby_);
    return std::chrono::nanoseconds(ns);
  }

  template <class Filled, class Get>
  Filled filled(Get &&get) const {
    Filled f{};
    f.size = sizeof f;
    must(get(s_, &f));
    return f;
  }

  Game *game_;
  tb_session *s_ = nullptr;
  std::uint32_t me_ = 0;
  bool over_ = false, lobby_ = false;
};

}  // namespace tickback

#endif
