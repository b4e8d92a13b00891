import FirnEngine
import FirnPlatform
import FirnTesting
import FirnTools
import FirnValues
import Glibc
import Testing

/// An observer prepares the update for a commit while the disk makes it durable. Here it finds
/// every commit in the log first, and on disk later, or not at all.
@Suite("Updates prepared before their commit is on disk")
struct PreparedUpdateTests {
    private static let file = "/people.firn"

    /// Events while the observer waits, one at a time.
    private enum Act {
        /// A commit that gets into the log; its process dies before it is on disk.
        case append(age: Int64)
        /// A commit that completes.
        case commit(age: Int64)
        /// A commit whose sync fails.
        case fail(age: Int64)
        /// A commit of a process that opens the database for it: after a failed sync it takes over.
        case arrive(age: Int64)
        /// The given time passes.
        case pass(seconds: UInt64)
        /// Ends the observer.
        case end
    }

    /// A database with two writing processes, and their next events.
    private final class Play: Sendable {
        let disk = SimulatedFileSystem()
        let clock = SimulatedClock()
        private let acts: [Act]
        private let next = Guarded(0)
        private let writers: Guarded<[(process: SimulatedFileSystem, store: Store)]>

        init(_ acts: [Act]) throws {
            self.acts = acts
            disk.setContents(
                of: "/people.csv", to: Array("id,name,age\n7,Bo,41\n9,Cy,33\n11,Al,52\n".utf8))
            var harness = CommandHarness()
            harness.services = disk.services(clock: clock, entropySeed: 1)
            let run = harness.run([
                "create", PreparedUpdateTests.file, "--from", "/people.csv", "--class", "Person",
                "--key", "id", "-q",
            ])
            #expect(run.status == 0, "\(run)")
            writers = Guarded([])
            for number in 0..<4 {
                let process = disk.anotherProcess()
                let store = try open(process, UInt64(number) + 10)
                // All of them use the log.
                try Play.setAge(20 + Int64(number), in: store)
                writers.withLock { $0.append((process, store)) }
            }
        }

        private func open(_ process: SimulatedFileSystem, _ seed: UInt64) throws -> Store {
            var options = StoreOptions()
            options.logging = .always
            options.checkpointsInBackground = false
            return try Store.open(
                PreparedUpdateTests.file, readOnly: false,
                services: process.services(clock: clock, entropySeed: seed), options: options)
        }

        /// Updates Cy.
        private static func setAge(_ age: Int64, in store: Store) throws {
            let transaction = try store.beginWrite()
            let person = try #require(transaction.schema.classNamed("Person"))
            let property = try #require(person.propertyNamed("age"))
            try transaction.set(property.id, of: RowID(1), in: person.id, to: .int(age))
            _ = try transaction.commit()
        }

        /// The next process to act; each acts once.
        private func takeWriter() throws -> (process: SimulatedFileSystem, store: Store) {
            try #require(writers.withLock { $0.isEmpty ? nil : $0.removeFirst() })
        }

        private func act() throws {
            let number = next.withLock { number in
                defer { number += 1 }
                return number
            }
            switch number < acts.count ? acts[number] : .end {
            case .append(let age):
                let (process, store) = try takeWriter()
                process.dieBeforeSyncOfLog { try? Play.setAge(age, in: store) }
                #expect(!process.isAlive)
            case .commit(let age): try Play.setAge(age, in: takeWriter().store)
            case .fail(let age):
                for suffix in ["-log0", "-log1"] {
                    disk.plan(
                        Fault(
                            .fails(errno: EIO), at: 0, of: [.sync],
                            pathSuffix: suffix))
                }
                let store = try takeWriter().store
                #expect(throws: StoreError.self) { try Play.setAge(age, in: store) }
                disk.forgetPlans()
            case .arrive(let age):
                try Play.setAge(age, in: open(disk.anotherProcess(), 50 + UInt64(number)))
            case .pass(let seconds): clock.advance(nanoseconds: seconds * 1_000_000_000)
            case .end: clock.advance(nanoseconds: 3600 * 1_000_000_000)
            }
        }

        /// The output of an observer.
        func observe(_ words: [String]) -> CommandHarness.Run {
            var harness = CommandHarness()
            let process = disk.anotherProcess()
            harness.services = process.services(clock: clock, entropySeed: 3)
            return disk.beforeEachOperation(
                { [self] operation in
                    guard operation.kind == .wait else { return }
                    // The acting process is not interrupted.
                    do { try disk.beforeEachOperation({ _ in }, of: act) } catch {
                        Issue.record(error)
                    }
                },
                of: {
                    harness.run(
                        ["observe", PreparedUpdateTests.file, "Person age > 30 SORT(age DESC)"]
                            + words + ["--timeout", "1000s"])
                })
        }
    }

    private static let shapes = [
        ["--shape", "events"], ["--shape", "index"], ["--shape", "rows"],
        ["--shape", "rows", "-f", "csv"], ["--shape", "rows", "-f", "csv", "--since", "now"],
    ]

    /// The output of an observer during some events, without time stamps.
    private func told(_ acts: [Act], _ words: [String]) throws -> String {
        let run = try Play(acts).observe(words)
        #expect(run.status == 124, "\(run)")
        // The end of a token names the commit, which covers its time.
        return run.output.replacing(#/"time":"[^"]*",/#, with: "")
            .replacing(#/("token":"o2\.[0-9]+\.[0-9a-f]+)\.[0-9a-f]+"/#) { "\($0.output.1)\"" }
    }

    @Test(
        "A lost commit is never reported, and a commit that reuses its number is reported fully",
        arguments: shapes)
    func lost(shape: [String]) throws {
        let words = shape + ["--heartbeat", "off"]
        let plain = try told([.arrive(age: 70)], words)
        #expect(plain.split(separator: "\n").count >= 2)
        for acts: [Act] in [
            [.append(age: 60), .fail(age: 61), .arrive(age: 70)],
            [
                .append(age: 34), .pass(seconds: 2), .fail(age: 61), .pass(seconds: 2),
                .arrive(age: 70),
            ],
            // None of it would have been reported.
            [.append(age: 25), .fail(age: 61), .arrive(age: 70)],
        ] {
            #expect(try told(acts, words) == plain, "\(acts)")
        }
    }

    @Test("A prepared update is reported when another sync includes its commit", arguments: shapes)
    func late(shape: [String]) throws {
        let words = shape + ["--heartbeat", "off", "--every-commit"]
        let plain = try told([.commit(age: 60), .commit(age: 70)], words)
        let late = try told([.append(age: 60), .pass(seconds: 2), .commit(age: 70)], words)
        // The number of waiting commits differs.
        func withoutLag(_ text: String) -> String {
            text.replacing(#/,"lag":[0-9]+/#, with: "")
        }
        #expect(withoutLag(late) == withoutLag(plain))
        #expect(plain.contains("60") || shape.contains("index"))
    }

    @Test("An update names the previous line, even after a heartbeat in between")
    func heartbeat() throws {
        let words = ["--shape", "events", "--heartbeat", "1s", "--every-commit"]
        let output = try told(
            [.commit(age: 21), .append(age: 60), .pass(seconds: 2), .commit(age: 70)], words)
        let lines = try StreamLine.all(output)
        #expect(lines.map(\.type).filter { $0 == "update" }.count == 2, "\(output)")
        #expect(lines.contains { $0.type == "heartbeat" })
        for (line, next) in zip(lines, lines.dropFirst()) where next.type == "update" {
            #expect(next["prev"].flatMap { UInt64($0) } == line.version, "\(output)")
        }
    }
}
