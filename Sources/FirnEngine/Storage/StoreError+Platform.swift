package import FirnPlatform

extension StoreError {
    /// Creates an error from a failure of the operating system.
    ///
    /// - Parameter doing: A verb phrase for the attempted operation, such as `read the catalog`.
    package init(_ error: PlatformError, doing: String) {
        let code: Code
        let remedy: String?
        switch error.code {
        case .notFound, .invalidPath: (code, remedy) = (.missing, nil)
        case .alreadyExists, .notReplaceable:
            (code, remedy) = (.exists, "choose another name, or remove that file first")
        case .permissionDenied: (code, remedy) = (.permissionDenied, nil)
        case .readOnlyFileSystem: (code, remedy) = (.readOnly, nil)
        case .notARegularFile:
            (code, remedy) = (.notADatabase, "give the path of a regular file")
        case .diskFull:
            (code, remedy) = (.diskFull, PlatformError.diskFullRemedy)
        case .fileTooLarge:
            (code, remedy) = (.inputOutput, "raise the file size limit, or use another disk")
        case .inputOutput, .brokenPipe, .tooManyOpenFiles, .notOpen, .interrupted,
            .other:
            (code, remedy) = (.inputOutput, nil)
        }
        self.init(
            code, path: error.path, detail: "could not \(doing): \(error.reason)",
            remedy: remedy, cause: error)
    }

    /// Returns the error for bytes that differ from what was written.
    static func corrupt(_ path: String, _ detail: String) -> StoreError {
        StoreError(
            .corrupt, path: path, detail: detail,
            remedy: "restore a copy; `firn check` lists all that is damaged")
    }
}
