// Random objects are made from values, added and created with all policies, nested, shared, in
// cycles and across two realms, and compared after each step with a plain model of the documented
// rules: copies and links, objects that become managed, the effect of an update, and the order of
// the rows.

import FirnTesting
import Testing

@Suite("Graphs of objects")
struct ObjectGraphTests {
    @Test(
        "A graph of objects matches the rules after any operations", arguments: TestScale.seeds(60)
    )
    func random(seed: UInt64) throws {
        var run = try GraphRun(seed: seed &+ 4_711)
        for _ in 0..<60 { try run.step() }
        // Most steps would not stop the program.
        #expect(run.doneCount > 20, "seed \(seed): \(run.doneCount) steps")
    }
}
