import FirnFormats
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnText
import FirnTools
import FirnValues
import Testing

/// A query whose only row comes at its end could not be interrupted: Ctrl-C in a count over six
/// million objects took effect only after the count.
@Suite("Queries printed by the shell")
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

    @Test("A signal ends a query before it has read anything, and nothing is printed")
    func interrupted() throws {
        let file = try harness.makePeople()
        let database = try Database.open(file, readOnly: true, services: .real)
        let snapshot = try database.snapshot()
        let sink = MemorySink()
        let bound = try query.bound(snapshot, named: file)
        var shownCount: UInt64 = 0
        let print = { (signal: Int32?) in
            _ = try query.print(
                bound, snapshot, of: database, named: file, PrintedQuery.Style(),
                counting: &shownCount,
                environment(sink, signal: signal))
        }
        #expect(isInterrupted { try print(2) })
        #expect(sink.text == "")
        #expect(shownCount == 0)
        try print(nil)
        #expect(shownCount == 1)
        #expect(sink.text == "{\"count\":2}\n")
    }

    @Test(
        "A signal ends a query for values, and a statement, which then changes nothing"
    )
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
