import Testing

@testable import FirnEngine

@Suite("Staying awake for a sync")
struct AdaptiveSpinTests {
    /// How many syncs pass until somebody stays awake again.
    private func pause(_ vigils: inout AdaptiveSpin) -> Int {
        var count = 0
        while !vigils.begin() { count += 1 }
        return count
    }

    @Test("goes on as long as syncs are quick, and is tried less and less where they are slow")
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
