// Objects are made of values, added and created with all policies, nested, shared, in circles and across
// two realms, by chance, and compared after each step with a plain model of the documented rules: what is
// copied and what is linked to, what becomes managed, what an update changes, and the order of the rows.

import FirnTesting
import Testing

@Suite("A graph of objects")
struct ObjectGraphTests {
    @Test("is what the rules say, whatever was done", arguments: TestScale.seeds(60))
    func random(seed: UInt64) throws {
        var run = try GraphRun(seed: seed &+ 4_711)
        for _ in 0..<60 { try run.step() }
        // Most steps are none that the program would stop for.
        #expect(run.doneCount > 20, "seed \(seed): \(run.doneCount) steps")
    }
}
