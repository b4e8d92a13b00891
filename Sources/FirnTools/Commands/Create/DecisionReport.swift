import FirnEngine
import FirnValues

/// Says on standard error what the columns of an input become, and why.
enum DecisionReport {
    /// Longer names stick out instead of pushing all reasons away.
    private static let nameWidthMax = 32

    static func text(_ table: ImportTable) -> String {
        let names = table.columns.map { SafeText.escaping($0.name) }
        let widths = names.map { DisplayWidth.columns(of: $0) }
        let nameWidth = min(nameWidthMax, widths.max() ?? 0)
        let typeWidth = table.columns.map { $0.type.name.utf8.count }.max() ?? 0
        var text = "\(SafeText.escaping(table.name)): class \(table.definition.name)"
        text += ", \(Amounts.count(table.rowCount, "row"))\n"
        for (index, column) in table.columns.enumerated() {
            text += "  " + names[index]
            text += String(repeating: " ", count: max(0, nameWidth - widths[index]) + 2)
            text += column.type.name
            text += String(
                repeating: " ", count: typeWidth - column.type.name.utf8.count + 2)
            text += column.reason
            if index == table.keyIndex { text += ", key" }
            if column.nulls > 0 { text += ", \(Amounts.count(column.nulls, "null"))" }
            text += "\n"
        }
        return text
    }
}
