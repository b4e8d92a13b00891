import FirnTesting
import Testing

@testable import FirnQuery

/// The operators one after the other: what one leaves on the disk, the next one reads.
@Suite("Pipelines that do not fit into memory")
struct SpilledPipelineTests {
    private static let beginnings = [
        "Item", "Item", "Item | SORT(t, i)", "Item | LIMIT(700)",
        "Item | each({i, i % 2} AS e) | select(s, i = e, x, t, u, d, a)",
        "Item | unpivot(name, value; i, x) | select(s = name, i = length(name), x = value, t, u, d, a)",
    ]
    /// Stages that keep the columns `s i x t u d a`, so that any may follow any.
    private static let stages = [
        "i > -10", "s != NULL", "x > @avg(x BY s)", "@row(BY i % 3) <= 40", "@previous(i) != i",
        "SORT(i DESC, s)", "SORT(x, t DESC)", "SORT(s)", "DISTINCT(i)", "DISTINCT(s, t)",
        "DISTINCT(a)", "LIMIT(3 BY s)", "LIMIT(1 BY i, t)", "LIMIT(500)", "SKIP(9)",
        "group(s, i, x, t, u, d, a; c = @count)",
        "group(s, i; x = @sum.x, t = @max.t, u = @first.u, d = @sum.d, a = @last.a)",
        "select(s, i, x, t, u, d, a, r = @rank(i BY s), p = @running(i))",
        "select(s, i = i + @row(BY t), x, t, u, d, a)",
        "join(j = Item; i == j.i) | select(s = j.s, i, x, t = j.t, u, d, a)",
        "join(j = ALL Item; t == j.t) | select(s, i = j.@count, x = j.@avg.x, t, u, d, a)",
    ]
    private static let ends = [
        "", " | count", " | group(s; n = @count, m = @median.x, q = @distinct.i)",
        " | SORT(i, s) | LIMIT(30)", " | select(@sum.i, @stddev.x, @distinct.s)",
        " | pivot(s; i % 3; n = @count)",
    ]

    @Test(
        "Each operator passes on the same rows from disk as from memory",
        arguments: TestScale.seeds(40))
    func sameRows(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let table = try StoredTable.ofAllKinds(&generator)
        for _ in 0..<6 {
            let count = Int.random(in: 2...4, using: &generator)
            let stages = (0..<count).map { _ in
                Self.stages.randomElement(using: &generator) ?? "i > 0"
            }
            let text =
                ([Self.beginnings.randomElement(using: &generator) ?? "Item"] + stages)
                .joined(separator: " | ")
                + (Self.ends.randomElement(using: &generator) ?? "")
            try table.expectSameRowsOnDisk(text, seed: seed)
        }
    }
}
