/// What an input consists of.
enum InputFormat: Hashable, Sendable {
    case table(DelimitedFormat)
    /// JSON or NDJSON: objects.
    case objects
    /// JSON or NDJSON: operations.
    case operations

    /// Finds out what an input is: by its name, otherwise by its beginning.
    init(path: String, beginning: [UInt8]) {
        switch RowFormat(path: path) {
        case .csv: self = .table(.csv)
        case .tsv: self = .table(.tsv)
        case .json, .ndjson: self = .objects
        default:
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = beginning.starts(with: mark) ? beginning.dropFirst(3) : beginning[...]
            let header = text.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") }
            if let first = header.first, "{[".utf8.contains(first) {
                self = .objects
            } else {
                let hasTab = header.contains(UInt8(ascii: "\t"))
                let isTabbed = hasTab && !header.contains(UInt8(ascii: ","))
                self = .table(isTabbed ? .tsv : .csv)
            }
        }
    }
}
