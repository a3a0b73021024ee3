// A complete program for Chinese Dark Chess tournaments, as a start for your own.
//
// It speaks DCTP, the tournament platform's protocol: one command per line on standard input, one answer per line on
// standard output. It tracks the board, knows the rules, takes the best piece that it can, and otherwise plays at random.
// Improve `choose`; the rest can stay as it is.
//
//     g++ -O2 -std=c++17 -o starter examples/bots/starter.cpp
//     anglerfish compliance ./starter
//     anglerfish match --engine cmd=./starter proto=dctp --engine player=random --rounds 10

#include <algorithm>
#include <array>
#include <cctype>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr char kHidden = 'X', kEmpty = '-';
const std::string kRanks = "pcnrmgk";  // pawn, cannon, knight, rook, minister, guard, king

// Squares are file + 4 * rank, so a1 is 0 and d8 is 31.
using Board = std::array<char, 32>;
using Action = std::pair<int, int>;  // a flip is the same square twice

int square(const std::string& text) { return (text[0] - 'a') + 4 * (text[1] - '1'); }
std::string text(int square) { return {static_cast<char>('a' + square % 4), static_cast<char>('1' + square / 4)}; }
char kind(char piece) { return static_cast<char>(std::tolower(static_cast<unsigned char>(piece))); }
int rank(char piece) { return static_cast<int>(kRanks.find(kind(piece))); }
bool is_piece(char cell) { return cell != kHidden && cell != kEmpty; }
bool is_red(char piece) { return std::isupper(static_cast<unsigned char>(piece)) != 0; }  // capital letters are red

// Whether a piece takes a neighbor. Cannons only take by jumping.
bool takes(char mover, char victim) {
    mover = kind(mover), victim = kind(victim);
    if (mover == 'c' || (mover == 'k' && victim == 'p')) return false;
    return (mover == 'p' && victim == 'k') || rank(mover) >= rank(victim);
}

std::vector<Action> actions(const Board& board, const std::string& us) {
    std::vector<Action> found;
    for (int at = 0; at < 32; ++at) {
        const char piece = board[at];
        if (piece == kHidden) found.emplace_back(at, at);
        if (!is_piece(piece) || us == "unknown" || is_red(piece) != (us == "red")) continue;
        const auto is_enemy = [&](char cell) { return is_piece(cell) && is_red(cell) != is_red(piece); };
        const int steps[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
        for (const auto& step : steps) {
            int standing = 0;  // pieces on this line so far
            int f = at % 4 + step[0], r = at / 4 + step[1];
            for (bool near = true; f >= 0 && f < 4 && r >= 0 && r < 8; f += step[0], r += step[1], near = false) {
                const int to = f + 4 * r;
                if (near && (board[to] == kEmpty || (is_enemy(board[to]) && takes(piece, board[to])))) found.emplace_back(at, to);
                if (board[to] == kEmpty) continue;
                // A cannon can take the second piece on the line.
                if (++standing == 2 && kind(piece) == 'c' && is_enemy(board[to])) found.emplace_back(at, to);
            }
        }
    }
    return found;
}

// Chooses an action. Improve this function.
Action choose(const Board& board, const std::string& us, std::mt19937& dice) {
    const auto worth = [&](const Action& action) {
        const char victim = board[action.second];
        return action.first != action.second && is_piece(victim) ? rank(victim) + 1 : 0;
    };
    std::vector<Action> all = actions(board, us);
    std::shuffle(all.begin(), all.end(), dice);
    return *std::max_element(all.begin(), all.end(), [&](const Action& a, const Action& b) { return worth(a) < worth(b); });
}

const std::vector<std::string> kNames = {"protocol_version", "name", "version", "known_command", "list_commands", "quit",
                                         "boardsize", "reset_board", "num_repetition", "num_moves_to_draw", "move", "flip",
                                         "genmove", "game_over", "ready", "time_settings", "time_left", "showboard"};

bool is_known(const std::string& name) { return std::find(kNames.begin(), kNames.end(), name) != kNames.end(); }

}  // namespace

int main() {
    std::mt19937 dice(std::random_device{}());
    Board board;
    board.fill(kHidden);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string code, name, first, second, answer;
        words >> code >> name >> first >> second;
        if (name == "protocol_version") {
            answer = "1.1.0";
        } else if (name == "name") {
            answer = "starter-cpp";
        } else if (name == "version") {
            answer = "1.0";
        } else if (name == "known_command") {
            answer = is_known(first) ? "true" : "false";
        } else if (name == "list_commands") {
            for (const auto& known : kNames) answer += (answer.empty() ? "" : "\n") + known;
        } else if (name == "reset_board") {
            board.fill(kHidden);
        } else if (name == "move") {
            board[square(second)] = board[square(first)];
            board[square(first)] = kEmpty;
        } else if (name == "flip") {
            board[square(first)] = second[0];
        } else if (name == "genmove") {
            // The board changes only when we are told that the move was played.
            const Action action = choose(board, first, dice);
            answer = text(action.first) + " " + text(action.second);
        } else if (!is_known(name) && name != "time_setting") {
            std::cout << '?' << code << " unknown command" << std::endl;
            continue;
        }
        std::cout << '=' << code << (answer.empty() ? "" : " ") << answer << std::endl;
        if (name == "quit") return 0;
    }
}
