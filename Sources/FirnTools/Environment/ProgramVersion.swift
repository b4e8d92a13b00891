import FirnEngine

/// The version of the program.
enum ProgramVersion {
    static let number = "0.1.0"

    /// What `--version` prints: the build, and below it the files that it can open.
    static var text: String {
        let oldest = FileFormat.readable.lowerBound
        let newest = FileFormat.readable.upperBound
        let formats = oldest == newest ? "\(newest)" : "\(oldest) to \(newest)"
        return "firn \(number)\nfile format: reads \(formats), writes \(FileFormat.written)"
    }
}
