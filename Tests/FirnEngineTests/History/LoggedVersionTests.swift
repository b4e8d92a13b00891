import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// Older versions, some of them in roots, some in the history and some in the log.
@Suite("Older versions while the file has a log")
struct LoggedVersionTests {
    private func expectAll(_ store: Store, _ ledger: Ledger, from first: LSN) throws {
        let newest = try store.snapshot().version
        for number in first.rawValue...newest.rawValue {
            let snapshot = try store.snapshot(at: .number(LSN(number)))
            #expect(snapshot.version == LSN(number))
            try ledger.check(snapshot)
            #expect(
                try store.snapshot(at: .back(newest.rawValue - number)).version == LSN(number))
        }
        let error = #expect(throws: StoreError.self) {
            try store.snapshot(at: .number(LSN(newest.rawValue + 1)))
        }
        #expect(error?.code == .versionGone)
    }

    @Test(
        "The writer, followers, later readers and recovery after a crash see the same older versions"
    )
    func everyReader() throws {
        let disk = SimulatedFileSystem()
        try Ledger.make(disk.services(entropySeed: 70))
        let ledger = Ledger()
        let writer = try Ledger.open(disk.anotherProcess().services(entropySeed: 2))
        let follower = try Ledger.open(
            disk.anotherProcess().services(entropySeed: 3), readOnly: true)
        let first = LSN(2)
        for round in 0..<4 {
            for step in 0..<5 {
                let kind: Ledger.Kind = step == 3 && round % 2 == 1 ? .pages : .operations
                try ledger.commit(100 + round * 10 + step, kind, to: writer)
                try expectAll(follower, ledger, from: first)
            }
            try expectAll(writer, ledger, from: first)
            try writer.checkpoint()
            try expectAll(follower, ledger, from: first)
            for image in [CrashImage.processDeath, .powerLoss(.nothingSurvives)] {
                let left = image.disk(after: disk)
                let reader = try Ledger.open(left.services(entropySeed: 4), readOnly: true)
                try expectAll(reader, ledger, from: first)
                let next = try Ledger.open(left.services(entropySeed: 5))
                try next.beginWrite().rollback()
                try expectAll(next, ledger, from: first)
            }
        }
        try writer.close()
        try expectAll(follower, ledger, from: first)
    }
}
