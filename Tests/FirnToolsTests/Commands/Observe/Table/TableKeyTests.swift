import Testing

@testable import FirnTools

/// The keys of a live table, as terminals send them.
@Suite("The keys of a live table")
struct TableKeyTests {
    private func keys(_ pieces: String...) -> [TableKey] {
        var reader = TableKeyReader()
        return pieces.flatMap { reader.keys(in: Array($0.utf8)) }
    }

    @Test("Arrow, page, home and end keys are recognized in all their forms")
    func forms() {
        #expect(keys("\u{1B}[A\u{1B}[B") == [.up, .down])
        #expect(keys("\u{1B}OA\u{1B}OB") == [.up, .down])
        #expect(keys("\u{1B}[5~\u{1B}[6~") == [.pageUp, .pageDown])
        #expect(keys("\u{1B}[H\u{1B}[1~\u{1B}OH\u{1B}[7~") == [.home, .home, .home, .home])
        #expect(keys("\u{1B}[F\u{1B}[4~\u{1B}OF\u{1B}[8~") == [.end, .end, .end, .end])
        #expect(keys("qQjk gGb") == [.quit, .quit, .down, .up, .pageDown, .home, .end, .pageUp])
    }

    @Test("Keys are recognized when their bytes arrive one by one, and other sequences are ignored")
    func pieces() {
        #expect(keys("\u{1B}", "[", "6", "~", "q") == [.pageDown, .quit])
        #expect(keys("\u{1B}[1;5A\u{1B}[200~xyz\u{1B}[2J") == [])
        #expect(keys("\u{1B}", "q") == [.quit])
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 100), "q") == [.quit])
    }
}
