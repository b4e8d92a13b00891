package import FirnEngine
import FirnValues

extension Diagnostic {
    /// Something that the store could not do.
    package init(_ error: StoreError) {
        let path = error.path
        let message = path.isEmpty ? error.detail : "\(SafeText.escaping(path)): \(error.detail)"
        self.init(Diagnostic.slug(error.code), message)
        file = path.isEmpty ? nil : path
        remedy = error.remedy
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
        }
    }
}
