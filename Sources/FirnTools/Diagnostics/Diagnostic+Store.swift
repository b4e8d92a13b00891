package import FirnEngine
import FirnValues

extension Diagnostic {
    /// Reports an error of the store.
    package init(_ error: StoreError) {
        let path = error.path
        let message = path.isEmpty ? error.detail : "\(SafeText.escaping(path)): \(error.detail)"
        self.init(Diagnostic.slug(error.code), message)
        file = path.isEmpty ? nil : path
        remedy = error.remedy
    }

    /// Reports an error of the store to a writing command.
    ///
    /// - Parameters:
    ///   - waited: the time that the command waited for other writers.
    ///   - file: the database as the user named it.
    init(_ error: StoreError, waited: TimeSpan, file: String) {
        self.init(error.renamed(file))
        guard error.code == .lockHeld else { return }
        self.init(.lockHeld, "cannot write \(SafeText.escaping(file)): \(error.detail)")
        self.file = file
        let longer = waited.seconds < 120 ? "2m" : waited.seconds < 3600 ? "1h" : "1d"
        let advice =
            waited.nanoseconds == 0
            ? "use --wait \(longer) to wait"
            : "waited \(waited.text); use --wait \(longer) to wait longer"
        remedy = "\(advice), or see: firn stats \(file) --sessions"
    }

    private static func slug(_ code: StoreError.Code) -> Slug {
        switch code {
        case .missing: .fileMissing
        case .exists: .fileExists
        case .notADatabase: .fileNotADatabase
        case .corrupt: .fileCorrupt
        case .formatTooNew: .fileFormatTooNew
        case .readOnly: .fileReadOnly
        case .permissionDenied: .filePermission
        case .lockHeld: .lockHeld
        case .versionGone: .historyGone
        case .freezeMissing: .freezeMissing
        case .freezeExists: .freezeExists
        case .logMissing: .fileLogMissing
        case .duplicateKey: .writeDuplicateKey
        case .missingValue: .writeMissingValue
        case .typeMismatch: .writeType
        case .invalidValue: .writeValue
        case .danglingLink: .writeDanglingLink
        case .embeddedParent: .writeEmbedded
        case .unknownClass: .writeUnknownClass
        case .unknownProperty: .writeUnknownProperty
        case .invalidSchema: .writeSchema
        case .unknownObject: .writeUnknownObject
        case .diskFull: .diskFull
        case .inputOutput, .poisoned: .inputOutput
        case .limitExceeded: .limitExceeded
        case .cancelled: .queryCancelled
        case .internalError: .internalError
        }
    }
}

extension StoreError {
    /// Returns the same error with the name that the user gave the database.
    package func renamed(_ file: String) -> StoreError {
        StoreError(
            code, path: path.isEmpty ? "" : file, detail: detail, remedy: remedy, cause: cause)
    }
}
