import FirnPlatform
import FirnQuery
import FirnTesting
import FirnTools
import FirnValues
import Testing

/// A query that has its only row at its end was not to be interrupted: Ctrl-C in a count over six
/// million objects had its effect when the count was there.
@Suite("A query that the shell prints")
struct PrintedQueryTests {
    private let harness = CommandHarness()
    private let query = PrintedQuery(
        "Person age > 40 | count", defaultClass: nil, arguments: [:])

    private func environment(_ sink: MemorySink, signal: Int32?) -> CommandEnvironment {
        var environment = CommandEnvironment(
            services: .real, input: MemorySource([]), output: sink, errors: MemorySink())
        environment.pendingSignal = { signal }
        return environment
    }

    private func isInterrupted(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            if case CommandFailure.interrupted = error { return true }
            return false
        }
    }

    @Test("ends at a signal before it has read anything, and prints nothing")
    func interrupted() throws {
        let file = try harness.makePeople()
        let database = try Database.open(file, readOnly: true, services: .real)
        let snapshot = try database.snapshot()
        let sink = MemorySink()
        let print = { (signal: Int32?) in
            _ = try query.print(
                snapshot, of: database, named: file, PrintedQuery.Style(),
                environment(sink, signal: signal))
        }
        #expect(isInterrupted { try print(2) })
        #expect(sink.text == "")
        try print(nil)
        #expect(sink.text == "{\"count\":2}\n")
    }

    @Test("So do its values, and the objects of a statement, which then changes nothing")
    func values() throws {
        var harness = harness
        let file = try harness.makePeople()
        let database = try Database.open(file, readOnly: true, services: .real)
        let snapshot = try database.snapshot()
        #expect(
            isInterrupted {
                _ = try query.values(snapshot, named: file, environment(MemorySink(), signal: 2))
            })
        let values = try query.values(
            snapshot, named: file, environment(MemorySink(), signal: nil))
        #expect(values == [[.int(2)]])
        harness.signal = 2
        let write = harness.run(["write", file, "-x", "Person age > 40 | delete", "-q"])
        #expect(write.ending == .signal(2))
        harness.signal = nil
        #expect(harness.run(["query", file, "Person | count", "-r"]).output == "3\n")
    }
}
