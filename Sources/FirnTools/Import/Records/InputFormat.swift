/// What an input consists of.
enum InputFormat: Hashable, Sendable {
    case table(DelimitedFormat)
    /// JSON or NDJSON: objects.
    case objects
    /// JSON or NDJSON: operations.
    case operations

    /// Finds out what an input is: by its name, otherwise by its beginning.
    init(path: String, beginning: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = beginning.starts(with: mark) ? beginning.dropFirst(3) : beginning[...]
        switch RowFormat(path: path) {
        case .csv: self = .table(DelimitedFormat(header: text))
        case .tsv: self = .table(.tsv)
        case .json, .ndjson: self = .objects
        default:
            let header = text.drop { $0 <= 0x20 }
            if let first = header.first, "{[".utf8.contains(first) {
                self = .objects
            } else {
                let format = DelimitedFormat(header: header)
                // Nothing says that such a text has quotes.
                self = .table(format == .quotedTabs ? .tsv : format)
            }
        }
    }

    /// What is told of an input whose name promises commas; `nil` if it has them.
    var surprise: String? {
        switch self {
        case .table(.semicolons): "fields are separated by ;"
        case .table(.quotedTabs): "fields are separated by tabs"
        default: nil
        }
    }
}
