package import FirnPlatform

extension Diagnostic {
    /// Reports an error of the operating system for a file or stream.
    ///
    /// - Parameter subject: the failed action, such as `cannot write out.csv`.
    package init(_ error: PlatformError, _ subject: String) {
        let (slug, reason) = Diagnostic.classify(error)
        self.init(slug, "\(subject): \(reason)")
        file = error.path.isEmpty ? nil : error.path
        switch error.code {
        case .diskFull: remedy = PlatformError.diskFullRemedy
        case .notARegularFile where !error.path.isEmpty && error.path != StandardStream.input.name:
            remedy = "use - for standard input or output"
        case .notReplaceable: remedy = "choose another name, or remove that file first"
        default: remedy = nil
        }
    }

    /// Returns the slug and the reason for an error.
    static func classify(_ error: PlatformError) -> (slug: Slug, reason: String) {
        switch error.code {
        case .notFound: (.fileMissing, "no such file or folder")
        case .alreadyExists: (.fileExists, "it already exists")
        case .permissionDenied: (.filePermission, "permission denied")
        case .readOnlyFileSystem: (.fileReadOnly, "the file system is read-only")
        case .notARegularFile: (.fileNotRegular, "it is a folder or a device, not a file")
        case .notReplaceable:
            (.fileExists, "it is a database or an input, which output never replaces")
        case .diskFull: (.diskFull, error.reason)
        case .fileTooLarge: (.inputOutput, "the file would be larger than allowed")
        case .brokenPipe: (.outputFailed, "the reader has closed it")
        case .notOpen: (.inputOutput, "it is closed")
        case .tooManyOpenFiles: (.inputOutput, "too many open files")
        case .inputOutput: (.inputOutput, "input/output error (\(detail(error)))")
        default: (.inputOutput, detail(error))
        }
    }

    private static func detail(_ error: PlatformError) -> String {
        error.errno == 0
            ? "\(error.operation) failed" : "\(error.operation) failed with errno \(error.errno)"
    }
}
