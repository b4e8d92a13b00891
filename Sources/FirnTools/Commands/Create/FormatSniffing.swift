import FirnPlatform
import FirnValues

/// Finds out what an input is: by its name, otherwise by its beginning.
enum FormatSniffing {
    private static let sampleBytes = 64 << 10

    static func format(
        of path: String, _ file: any File, name: String
    ) throws(InputError) -> DelimitedFormat {
        switch RowFormat(path: path) {
        case .csv: return .csv
        case .tsv: return .tsv
        default: break
        }
        let header = try sample(file, name: name).prefix { $0 != UInt8(ascii: "\n") }
        if let first = header.first, "{[".utf8.contains(first) {
            throw InputError(
                .syntax, "this looks like JSON, and create reads CSV and TSV", name: name, line: 1,
                excerpt: SafeText.excerpt(of: header))
        }
        let hasTab = header.contains(UInt8(ascii: "\t"))
        return hasTab && !header.contains(UInt8(ascii: ",")) ? .tsv : .csv
    }

    private static func sample(_ file: any File, name: String) throws(InputError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: sampleBytes)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(PlatformError) in try file.read(at: 0, into: buffer) }
        }
        do { bytes.removeLast(bytes.count - (try result.get())) } catch {
            throw InputError(error, name: name)
        }
        return bytes
    }
}
