import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A checkpoint of six thousand commits left no older version, because its root was the only one
/// within the thousand commits of the policy. An observer that was four commits late was reset.
@Suite("The history after a checkpoint of more commits than it keeps")
struct FoldedHistoryTests {
    private static let path = "/folded.firn"

    private func commit(_ count: Int, to store: Store) throws {
        let schema = try store.itemClass()
        let score = try #require(schema.propertyNamed("score")?.id)
        for number in 0..<count {
            let transaction = try store.beginWrite()
            try transaction.set(score, of: RowID(0), in: schema.id, to: .double(Double(number)))
            _ = try transaction.commit()
        }
    }

    private func isReadable(back count: UInt64, _ store: Store) throws -> Bool {
        do {
            _ = try store.snapshot(at: .back(count))
            return true
        } catch {
            guard error.code == .versionGone else { throw error }
            return false
        }
    }

    @Test("The history has all folded commits until later checkpoints have enough")
    func folded() throws {
        let services = SimulatedFileSystem().services()
        try makeSample(Self.path, rowCount: 3, services: services)
        var options = StoreOptions()
        options.logging = .always
        options.checkpointsInBackground = false
        options.history.commitCount = 10
        let store = try Store.open(
            Self.path, readOnly: false, services: services, options: options)
        try commit(3, to: store)
        try store.checkpoint()
        try commit(40, to: store)
        try store.checkpoint()
        for count in 0..<UInt64(40) { #expect(try isReadable(back: count, store), "\(count)") }
        try commit(2, to: store)
        try store.checkpoint()
        #expect(try isReadable(back: 30, store))
        try commit(8, to: store)
        try store.checkpoint()
        for count in 0..<UInt64(10) { #expect(try isReadable(back: count, store), "\(count)") }
        #expect(try !isReadable(back: 30, store))
        try expectSound(store)
        try store.close()
        try expectSound(
            Store.open(Self.path, readOnly: true, services: services, options: options))
    }
}
