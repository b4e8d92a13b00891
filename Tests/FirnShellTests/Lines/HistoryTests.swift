import FirnTesting
import Glibc
import Testing

@testable import FirnShell

@Suite("The history of statements")
struct HistoryTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("state/firn/history") }

    private func statements(_ path: String?) -> [String] {
        History(path: path).entries.map(\.statement)
    }

    private func content() -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("A later session has the earlier statements, including multi-line ones")
    func roundTrip() {
        let history = History(path: path, clock: SimulatedClock(seconds: 1_700_000_000))
        history.add("Person age > 3")
        history.add("Person\n| count")
        history.add("#12 is not a time")
        #expect(statements(path) == ["Person age > 3", "Person\n| count", "#12 is not a time"])
        #expect(
            content() == "#1700000000\nPerson age > 3\n#1700000000\nPerson\n| count\n"
                + "#1700000000\n#12 is not a time\n")
    }

    @Test("Only the user can read the file and its folder", .tags(.security))
    func rights() {
        History(path: path).add("Person")
        #expect(mode(path) == 0o600)
        #expect(mode(folder("state/firn")) == 0o700)
        #expect(mode(folder("state")) == 0o700)
        chmod(path, 0o644)
        History(path: path).add("Dog")
        #expect(mode(path) == 0o600)
        #expect(statements(path) == ["Person", "Dog"])
    }

    @Test(
        "Statements that start with a space, are empty, or repeat the last one are not recorded",
        .tags(.security))
    func leftOut() {
        let history = History(path: path)
        for statement in [" secret", "\tsecret", "", "  ", "Person", "Person", "Dog", "Person"] {
            history.add(statement)
        }
        history.add(String(repeating: "x", count: History.entryBytesMax + 1))
        #expect(statements(path) == ["Person", "Dog", "Person"])
        #expect(history.entries.map(\.statement) == ["Person", "Dog", "Person"])
    }

    @Test("Two sessions append to one history")
    func sharing() {
        let first = History(path: path)
        let second = History(path: path)
        first.add("one")
        second.add("two")
        first.add("three")
        first.truncate()
        second.truncate()
        #expect(statements(path) == ["one", "two", "three"])
    }

    @Test("A long history is truncated at the end of a session, and keeps its latest statements")
    func truncation() {
        let history = History(path: path)
        for number in 0..<(History.entriesMax + 10) { history.add("statement \(number)") }
        history.truncate()
        let kept = statements(path)
        #expect(kept.count == History.entriesMax * 9 / 10)
        #expect(kept.last == "statement \(History.entriesMax + 9)")
    }

    @Test("A removed statement disappears from the file")
    func removal() {
        let history = History(path: path)
        for statement in ["one", "two", "three"] { history.add(statement) }
        history.remove(at: 1)
        history.remove(at: 9)
        #expect(history.entries.map(\.statement) == ["one", "three"])
        #expect(statements(path) == ["one", "three"])
    }

    @Test("The owner of a separate list is notified of removed statements")
    func toldRemoval() {
        let history = History(path: nil)
        var removed: [Int] = []
        history.didRemove = { removed.append($0) }
        for statement in ["one", "two", "three"] { history.add(statement) }
        history.remove(at: 1)
        history.remove(at: 9)
        #expect(removed == [1])
    }

    @Test("A symbolic link, a second name, a FIFO and a folder are refused", .tags(.security))
    func refusals() throws {
        mkdir(folder("state"), 0o700)
        mkdir(folder("state/firn"), 0o700)
        let target = folder("target")
        History(path: folder("other/firn/history")).add("theirs")
        rename(folder("other/firn/history"), target)
        for make in [
            { symlink(target, path) }, { link(target, path) }, { mkfifo(path, 0o600) },
            { mkdir(path, 0o700) },
        ] {
            #expect(make() == 0)
            let history = History(path: path)
            #expect(history.entries.isEmpty)
            history.add("mine")
            history.truncate()
            #expect(history.entries.map(\.statement) == ["mine"])
            remove(path)
        }
        #expect(statements(target) == ["theirs"])
    }

    @Test("A folder that others can write to, or that is a link, is refused", .tags(.security))
    func foldersOfOthers() {
        mkdir(folder("state"), 0o700)
        mkdir(folder("state/firn"), 0o700)
        chmod(folder("state/firn"), 0o777)
        History(path: path).add("one")
        #expect(content() == nil)
        rmdir(folder("state/firn"))
        mkdir(folder("elsewhere"), 0o700)
        symlink(folder("elsewhere"), folder("state/firn"))
        History(path: path).add("one")
        #expect(content() == nil)
    }

    @Test("An unwritable history is not an error")
    func unwritable() {
        for path in ["/proc/nothing/firn/history", "/dev/null/firn/history", "/a\0b/history"] {
            let history = History(path: path)
            history.add("Person")
            history.truncate()
            #expect(history.entries.map(\.statement) == ["Person"])
        }
    }

    @Test("A line that begins with a multi-scalar character is not a time")
    func signs() {
        let statement = "Person\n#\u{20E3}12"
        let text = "#5\n\(statement)\n"
        #expect(
            HistoryEntry.parse(Array(text.utf8)).map { Array($0.statement.utf8) }
                == [Array(statement.utf8)])
    }

    @Test("Lines without a time, as other programs write them, are statements")
    func foreign() {
        let text = "one\n\ntwo\n#5\nthree\nfour\n"
        #expect(
            HistoryEntry.parse(Array(text.utf8)) == [
                HistoryEntry(time: 0, statement: "one"), HistoryEntry(time: 0, statement: "two"),
                HistoryEntry(time: 5, statement: "three\nfour"),
            ])
        #expect(HistoryEntry.parse([0xFF, 0, 10]).count == 1)
        #expect(HistoryEntry.parse([]).isEmpty)
    }

    @Test("The state folder of the user is used if it is absolute")
    func places() {
        func path(_ variables: [String: String]) -> String? { History.path { variables[$0] } }
        #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/firn/history")
        #expect(path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/firn/history")
        #expect(path(["HOME": "/h"]) == "/h/.local/state/firn/history")
        #expect(path(["HOME": "h"]) == nil)
        #expect(path([:]) == nil)
    }
}
