import FirnEngine
import FirnValues

/// The version of the program.
enum ProgramVersion {
    static let number = "0.1.0"

    /// The output of `--version`: the version of the program and the supported file formats.
    static var text: String {
        let oldest = FileFormat.readable.lowerBound
        let newest = FileFormat.readable.upperBound
        let formats = oldest == newest ? "\(newest)" : "\(oldest) to \(newest)"
        return "firn \(number)\nfile format: reads \(formats), writes \(FileFormat.written)"
    }
}
