import Testing

@testable import FirnEngine

@Suite("Spinning during a sync")
struct AdaptiveSpinTests {
    /// The number of syncs until a process spins again.
    private func pause(_ spin: inout PendingCommit.AdaptiveSpin) -> Int {
        var count = 0
        while !spin.begin() { count += 1 }
        return count
    }

    @Test("Spinning continues while syncs are fast, and becomes rarer when they are slow")
    func pauses() {
        var spin = PendingCommit.AdaptiveSpin()
        for _ in 0..<3 {
            #expect(pause(&spin) == 0)
            spin.end(true)
        }
        var pauses: [Int] = []
        for _ in 0..<11 {
            pauses.append(pause(&spin))
            spin.end(false)
        }
        #expect(pauses == [0, 1, 3, 7, 15, 31, 63, 127, 255, 256, 256])
        #expect(pause(&spin) == 256)
        spin.end(true)
        #expect(pause(&spin) == 0)
    }
}
