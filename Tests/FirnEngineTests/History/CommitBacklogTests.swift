import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// An observer of every commit opened each version by its number: for each it read the whole
/// history again, and replayed all commits since the nearest root. It caught up at 2,000 commits a
/// second while a writer made 5,900, and ended in a reset.
@Suite("The backlog of commits of a reader")
struct CommitBacklogTests {
    @Test(
        "The commits in the backlog equal the differences between consecutive versions",
        arguments: [StoreOptions.Logging.never, .always])
    func steps(logging: StoreOptions.Logging) throws {
        let folder = TemporaryFolder()
        let store = try MarkStore.make(folder("a.firn"), logging)
        let first = try store.snapshot()
        for number in 1...40 { try MarkStore.commit(Int64(number), to: store) }
        let last = try store.snapshot().version
        let backlog = CommitBacklog(store)
        var current = first
        var count = 0
        while current.version < last {
            try backlog.fill(after: current.version, through: last)
            let step = try #require(try backlog.step(from: current))
            let opened = try store.snapshot(at: .number(step.new.version))
            #expect(step.new.version == LSN(current.version.rawValue + 1))
            #expect(try contents(of: step.new) == contents(of: opened))
            let changes = try store.changes(from: current, to: opened)
            #expect(step.changes.classes == changes.classes)
            #expect(step.changes.commit == changes.commit)
            #expect(step.changes.schemaChanged == changes.schemaChanged)
            current = step.new
            count += 1
        }
        #expect(count == 40)
        #expect(backlog.isSpent)
        #expect(try backlog.step(from: current) == nil)
    }

    @Test("The backlog is read once, however long it is")
    func reading() throws {
        let folder = TemporaryFolder()
        let store = try MarkStore.make(folder("a.firn"), .never)
        var current = try store.snapshot()
        for number in 1...200 { try MarkStore.commit(Int64(number), to: store) }
        let last = try store.snapshot().version
        let backlog = CommitBacklog(store)
        try backlog.fill(after: current.version, through: last)
        let before = store.pages.counters.current
        while current.version < last {
            try backlog.fill(after: current.version, through: last)
            current = try #require(try backlog.step(from: current)).new
        }
        #expect(store.pages.counters.current == before)
    }

    @Test("The backlog is empty if its history is gone or its version is not an earlier one")
    func gone() throws {
        let folder = TemporaryFolder()
        let store = try MarkStore.make(folder("a.firn"), .never)
        let old = try store.snapshot()
        for number in 1...3 { try MarkStore.commit(Int64(number), to: store) }
        let newest = try store.snapshot()
        let backlog = CommitBacklog(store)
        #expect(try backlog.step(from: old) == nil)
        try backlog.fill(after: old.version, through: newest.version)
        #expect(try backlog.step(from: newest) == nil)
        _ = try store.compact(CompactionOptions()) { _ in true }
        backlog.removeAll()
        try backlog.fill(after: .zero, through: newest.version)
        #expect(try backlog.step(from: old) == nil)
    }
}
