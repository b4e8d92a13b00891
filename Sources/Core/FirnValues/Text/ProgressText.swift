/// The line that shows the progress of long work in a terminal.
///
///     reading people.csv  ██████░░░░░░░░░░░░░░  31%  8.4 MiB of 27.1 MiB  12.0 MiB/s  2 s left
package enum ProgressText {
    private static let barColumns = 20

    /// Returns the parts that fit the terminal: the bar is dropped first, then parts from the
    /// right.
    ///
    /// - Parameters:
    ///   - part: The part of the work that is done, from 0 to 1; `nil` if it is not known.
    ///   - details: The texts after the percentage, the most important first.
    ///   - columns: The width of the terminal.
    ///   - drawsUnicode: Whether the bar may have block characters.
    package static func line(
        _ label: String, part: Double?, details: [String], columns: Int, drawsUnicode: Bool
    ) -> String {
        var pieces = [label]
        if let part {
            pieces.append(bar(part, drawsUnicode: drawsUnicode))
            pieces.append("\(Int(max(0, min(1, part)) * 100))%")
        }
        pieces += details
        // The last column is left empty, because writing into it would start a new line.
        let room = columns - 1
        func width() -> Int { DisplayWidth.columns(of: pieces.joined(separator: "  ")) }
        if width() > room, part != nil { pieces.remove(at: 1) }
        while width() > room, pieces.count > 1 { pieces.removeLast() }
        return pieces.joined(separator: "  ")
    }

    private static func bar(_ part: Double, drawsUnicode: Bool) -> String {
        let full = Int(max(0, min(1, part)) * Double(barColumns))
        return String(repeating: drawsUnicode ? "█" : "#", count: full)
            + String(repeating: drawsUnicode ? "░" : ".", count: barColumns - full)
    }
}
