import Testing

@testable import FirnEngine

@Suite("Spinning during a sync")
struct AdaptiveSpinTests {
    /// The number of syncs until a process spins again.
    private func pause(_ vigils: inout AdaptiveSpin) -> Int {
        var count = 0
        while !vigils.begin() { count += 1 }
        return count
    }

    @Test("Spinning continues while syncs are fast, and is tried ever less where they are slow")
    func pauses() {
        var vigils = AdaptiveSpin()
        for _ in 0..<3 {
            #expect(pause(&vigils) == 0)
            vigils.end(true)
        }
        var pauses: [Int] = []
        for _ in 0..<11 {
            pauses.append(pause(&vigils))
            vigils.end(false)
        }
        #expect(pauses == [0, 1, 3, 7, 15, 31, 63, 127, 255, 256, 256])
        #expect(pause(&vigils) == 256)
        vigils.end(true)
        #expect(pause(&vigils) == 0)
    }
}
