import FirnValues

/// `512`, `64K`, `10M`, `2G`, `1T`: bytes, in powers of 1024.
package struct ByteSize: Hashable {
    package let count: UInt64

    init(count: UInt64) { self.count = count }

    package init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = UInt64(digits) else { return nil }
        let unit: UInt64
        switch argument[digits.endIndex...].uppercased() {
        case "", "B": unit = 1
        case "K", "KB", "KIB": unit = 1 << 10
        case "M", "MB", "MIB": unit = 1 << 20
        case "G", "GB", "GIB": unit = 1 << 30
        case "T", "TB", "TIB": unit = 1 << 40
        default: return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        if overflow { return nil }
        count = product
    }
}

/// `30%` or `30`: from 0 to 100.
package struct Percentage: Hashable {
    package let percent: UInt64

    package init?(argument: String) {
        let digits = argument.hasSuffix("%") ? argument.dropLast() : argument[...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt64(digits),
            number <= 100
        else { return nil }
        percent = number
    }

    /// Returns whether a part is at least this percentage of a whole.
    package func isReached(by part: UInt64, of whole: UInt64) -> Bool {
        // In doubles: the product of a size and 100 may overflow an integer.
        Double(part) * 100 >= Double(whole) * Double(percent)
    }
}
