// The wrapper for C++: the same pong as in C, with exceptions. The argument is a folder for a recording.

#include "tickback.hpp"

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);  \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (0)

namespace {

struct runner {
  std::int32_t x[2];
  std::uint8_t laps[2];
};

struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class race final : public tickback::game<runner, std::uint16_t> {
 public:
  race() : game("race", {TB_ARRAY(runner, x, TB_I32, 2), TB_ARRAY(runner, laps, TB_U8, 2)}, {{"lap", 5, 0}}) {}

  void begin(runner &r, const tb_match &m) override {
    content = m.content;
    game::begin(r, m);
  }

  void init(runner &r, std::uint64_t seed) override {
    if (init_throws) throw failure("init");
    r.x[0] = static_cast<std::int32_t>(seed % 10);
  }

  void step(runner &r, tickback::tick<std::uint16_t> t) override {
    for (std::uint32_t p = 0; p < 2; p++) {
      r.x[p] += t.input(p) % 100;
      if (r.x[p] >= 1000) r.x[p] -= 1000, r.laps[p]++, t.emit(5, p, r.laps[p]);
      if (r.laps[p] == 5) t.finish(p);
    }
    for (char c : t.orders(0)) r.x[1] = (r.x[1] + c) % 1000;
    if (t.frame() == throws_at) throw failure("step");
    if (hidden) r.laps[1] = static_cast<std::uint8_t>(++count);
  }

  bool check(const runner &r) override { return r.x[0] >= 0 && r.x[0] < 1000 && r.x[1] >= 0 && r.x[1] < 1000; }

  bool init_throws = false, hidden = false;
  std::uint32_t throws_at = 0xffffffff;
  unsigned count = 0;
  std::uint64_t content = 0;
};

using session = tickback::session<race>;

tb_options alone() {
  tb_options o = tickback::options();
  o.players = 2;
  o.seed = 7;
  return o;
}

// Plays to the end, and returns how many laps were heard.
int play(session &s) {
  int laps = 0;
  for (std::uint16_t f = 0; !s.over(); f++) {
    s.set_input(0, f % 61);
    s.set_input(1, 20);
    CHECK(s.advance().count() > 0 || s.over());
    while (auto e = s.effect()) {
      if (e->what != TB_EFFECT_STARTED) continue;
      laps++;
      CHECK(e->kind == 5 && e->key < 2 && tickback::payload<std::uint8_t>(*e) > 0 && tickback::payload<std::uint8_t>(*e) < 6);
    }
  }
  return laps;
}

template <class Exception, class F>
std::string thrown(F &&f) {
  try {
    f();
  } catch (const Exception &e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const std::string file = std::string(argv[1]) + "/race.tbr";
  race game;
  tb_options options = alone();
  options.record = file.c_str();
  runner end;
  {
    session s = session::synctest(game, options, 7);
    const int laps = play(s);
    CHECK(laps >= 5 && laps == s.state()->laps[0] + s.state()->laps[1]);
    CHECK(s.outcome().finished && s.outcome().over && s.stats().frame == s.outcome().frames);
    end = *s.state();
    CHECK(end.laps[s.outcome().result] == 5);
    bool ended = false;
    while (auto e = s.event()) ended = ended || e->what == TB_ENDED;
    CHECK(ended && s.desync_report().empty());
    session other = std::move(s);
    CHECK(other.state() != nullptr);
    CHECK(thrown<tickback::error>([&] { s.poll(); }) == "the session is NULL");
  }
  {
    session s = session::replay(game, tickback::options(), file);
    while (!s.over()) s.advance();
    CHECK(s.outcome().health == TB_HEALTHY && !std::memcmp(s.state()->x, end.x, sizeof end.x));
    s.seek(3);
    CHECK(s.state()->x[1] == 60);
  }
  CHECK(thrown<tickback::error>([&] { session::synctest(game, options, 7); }).find("exists") != std::string::npos);
  CHECK(thrown<tickback::error>([&] { session::synctest(game, alone(), 0); }) != "nothing was thrown");

  race failing;
  failing.throws_at = 30;
  session s = session::synctest(failing, alone(), 7);
  CHECK(thrown<failure>([&] { play(s); }) == "step");
  CHECK(thrown<tickback::error>([&] { s.advance(); }).find("an exception") != std::string::npos);
  failing.init_throws = true;
  CHECK(thrown<failure>([&] {
          session t = session::synctest(failing, alone(), 7);
          t.advance();
        }) == "init");

  race ordered;
  tb_options talking = alone();
  talking.max_orders = 10;
  talking.content = 12;
  s = session::synctest(ordered, talking, 7);
  s.set_orders(0, "ab");
  s.advance();
  CHECK(s.state()->x[1] == 'a' + 'b' && ordered.content == 12 && s.proposal().content == 12 && s.message().empty());
  s.pause();
  s.unpause();
  CHECK(thrown<tickback::error>([&] { s.kick(1, "rude"); }) != "nothing was thrown");
  CHECK(thrown<tickback::error>([&] { s.accept(); }) != "nothing was thrown");

  race hiding;
  hiding.hidden = true;
  s = session::synctest(hiding, alone(), 7);
  CHECK(thrown<tickback::error>([&] { play(s); }).find("laps[1]") != std::string::npos);
  std::puts("ok");
  return 0;
}
