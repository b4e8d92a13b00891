import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// The time that writers wait for a step of a compaction, measured by the bytes read and written
/// meanwhile.
@Suite("The writer lock during a compaction")
struct CompactionPauseTests {
    /// The work done while the lock is held.
    private struct Work {
        var operations = 0
        var bytes = 0
    }

    /// - Returns: the longest hold, and the number of holds.
    private func compact(rowCount: Int) throws -> (longest: Work, holds: Int, size: UInt64) {
        var fixture = try CompactionFixture(rowCount: rowCount, rowsPerGroup: 128)
        try fixture.delete(percent: 60, commits: 3)
        let size = try fixture.byteCount
        let store = fixture.store
        let state = Guarded<(current: Work, longest: Work, holds: Int)>((Work(), Work(), 0))
        fixture.disk.beforeEachOperation { operation in
            let isHeld = store.locks.writer.isTakenHere
            state.withLock { state in
                guard isHeld else {
                    if state.current.operations > 0 { state.holds += 1 }
                    state.longest.bytes = max(state.longest.bytes, state.current.bytes)
                    state.longest.operations = max(
                        state.longest.operations, state.current.operations)
                    state.current = Work()
                    return
                }
                state.current.operations += 1
                // Blocks reserved past the end are neither read nor written.
                if operation.kind != .reserve { state.current.bytes += operation.count }
            }
        }
        try store.compactFile(CompactionFixture.options())
        fixture.disk.beforeEachOperation(nil)
        try expectSound(store)
        let (_, longest, holds) = state.withLock { $0 }
        return (longest, holds, size)
    }

    @Test("The writer lock is held for a bounded amount of work, however large the file is")
    func bounded() throws {
        let step = CompactionFixture.options().stepByteCount
        let small = try compact(rowCount: 1500)
        let large = try compact(rowCount: 9000)
        print("compaction, longest hold: \(small) and \(large)")
        #expect(large.size > 4 * small.size)
        #expect(large.holds > small.holds)
        // The superblock is read, pages move, and history, free space and directories are written.
        #expect(large.longest.bytes < 8 * step)
        #expect(large.longest.bytes < 3 * small.longest.bytes)
        #expect(large.longest.operations < 3 * small.longest.operations)
    }
}
