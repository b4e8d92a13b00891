import Foundation

/// A table of works on tables of several sizes, with the exponent of their growth.
///
/// The exponent is that of the number of rows to which the time is proportional between the
/// smallest and the largest table: 1 for a scan, 0 for what does not depend on the size.
enum GrowthTable {
    static func text(_ series: [ScaleComparison.Series], rowCounts: [Int]) -> String {
        var table = MarkdownTable(
            ["work", "by"] + rowCounts.map { "\($0) rows" } + ["growth", "memory", "growth"])
        for line in series {
            let costs = line.costs
            table.add(
                [line.work, line.contestant]
                    + costs.map { $0.map { Figures.time($0.nanoseconds) } ?? "-" }
                    + [
                        exponent(costs.map { $0?.nanoseconds }, rowCounts),
                        (costs.last ?? nil).map { Figures.bytes($0.peakByteCount) } ?? "-",
                        exponent(costs.map { $0?.peakByteCount }, rowCounts),
                    ])
        }
        return table.text
    }

    private static func exponent(_ values: [UInt64?], _ rowCounts: [Int]) -> String {
        guard let first = values.first ?? nil, let last = values.last ?? nil, first > 0, last > 0,
            let least = rowCounts.first, let most = rowCounts.last, most > least
        else { return "-" }
        let exponent = log(Double(last) / Double(first)) / log(Double(most) / Double(least))
        return (exponent < 0 ? "-" : "") + Figures.short(abs(exponent))
    }
}
