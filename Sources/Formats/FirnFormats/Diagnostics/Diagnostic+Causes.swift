package import FirnEngine
package import FirnPlatform
package import FirnQuery
package import FirnSyntax
package import FirnText
import FirnValues

extension Diagnostic {
    /// Creates the diagnostic of an error of the store.
    package init(_ error: StoreError) {
        let path = error.path
        let message = path.isEmpty ? error.detail : "\(SafeText.escaping(path)): \(error.detail)"
        self.init(Diagnostic.slug(error.code), message)
        file = path.isEmpty ? nil : path
        remedy = error.remedy
    }

    /// Creates the diagnostic of an error of the store for a command that writes.
    ///
    /// - Parameters:
    ///   - waited: the time that the command waited for other writers.
    ///   - file: the database as the user named it.
    package init(_ error: StoreError, waited: TimeSpan, file: String) {
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
        case .notSubscribed: .writeSubscription
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

extension Diagnostic {
    /// Reports an invalid query.
    ///
    /// - Parameters:
    ///   - text: the whole text that the ranges of the error refer to.
    ///   - file: the database.
    package init(_ error: QueryError, text: String, file: String?) {
        self.init(Diagnostic.slug(error.code), error.message)
        self.file = file
        let start = error.position(in: text)
        // There is no position in a text that only an option has added.
        if !text.isEmpty || !error.range.isEmpty {
            position = Position(
                line: UInt64(clamping: start.line), column: start.column, length: start.length)
        }
        hint = error.hint
        suggestions = error.suggestions
        // All details are indented by two spaces, which are removed here.
        details = error.render(source: text).map { String($0.dropFirst(2)) }
    }

    private static func slug(_ code: QueryError.Code) -> Slug {
        switch code {
        case .syntax: .querySyntax
        case .unknownClass: .queryUnknownClass
        case .unknownProperty: .queryUnknownProperty
        case .type: .queryType
        case .missingParameter: .queryMissingParameter
        case .limit: .queryLimit
        case .usage: .usageQuery
        case .value: .writeValue
        }
    }
}

extension Diagnostic {
    /// Adds the correct form of a query parameter if it is a string that looks like another value.
    ///
    /// - Parameters:
    ///   - arguments: the values of `$name`.
    ///   - text: the query.
    package func explainingTexts(_ arguments: QueryArguments, in text: String) -> Diagnostic {
        guard slug == .queryType, remedy == nil else { return self }
        for (name, value) in arguments.values.sorted(by: { $0.key < $1.key }) {
            guard case .string(let typed) = value, text.contains("$\(name)"),
                let meant = Value(json: typed)
            else { continue }
            let kind: String
            switch meant {
            case .int, .double: kind = "number"
            case .bool: kind = "Bool"
            case .null: kind = "null"
            default: continue
            }
            var diagnostic = self
            // The value has no quotes on the command line.
            diagnostic.details = details.map {
                $0.replacing(" write \(typed) without quotes", with: "")
            }
            diagnostic.remedy =
                "-p \(name)=\(typed) is a string; the \(kind) is -p \(name):=\(typed)"
            return diagnostic
        }
        return self
    }
}

extension Diagnostic {
    /// Reports malformed input.
    package init(_ error: InputError) {
        let name = SafeText.escaping(error.name)
        if let cause = error.cause {
            self.init(cause, "\(error.message) \(name)")
            file = error.name
            return
        }
        var location = name
        if let line = error.line { location += ":\(line)" }
        if let character = error.character { location += ":\(character)" }
        if let column = error.column { location += ", \(SafeText.escaping(column))" }
        self.init(Diagnostic.slug(error.code), "\(location): \(error.message)")
        file = error.name
        position = error.line.map { Position(line: $0, column: error.character) }
        property = error.column
        // At the end of the input, there is no text to show.
        if let excerpt = error.excerpt, !excerpt.allSatisfy(\.isWhitespace) {
            if error.column != nil { value = excerpt }
            details.append(excerpt)
        }
        if let offset = error.offset { details.append("at byte \(offset) of the input") }
        remedy = error.remedy
    }

    static func slug(_ code: InputError.Code) -> Slug {
        switch code {
        case .syntax: .inputSyntax
        case .encoding: .inputEncoding
        case .type: .writeType
        case .value: .writeValue
        case .missingValue: .writeMissingValue
        case .schema: .writeSchema
        case .missingKey: .writeMissingKey
        case .limit: .inputLimit
        case .unreadable: .inputUnreadable
        }
    }
}

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
    package static func classify(_ error: PlatformError) -> (slug: Slug, reason: String) {
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
        case .damagedCompression, .truncatedCompression: (.inputEncoding, error.reason)
        case .invalidText: (.inputEncoding, error.operation)
        case .invalidPath: (.inputOutput, error.reason)
        case .inputOutput: (.inputOutput, "input/output error (\(detail(error)))")
        default: (.inputOutput, detail(error))
        }
    }

    private static func detail(_ error: PlatformError) -> String {
        error.errno == 0
            ? "\(error.operation) failed" : "\(error.operation) failed with errno \(error.errno)"
    }
}

extension Diagnostic {
    /// Reports a damaged database.
    ///
    /// - Parameter findings: the findings, at least one; only the first ten are shown.
    package init(_ findings: [Finding], in path: String) {
        self.init(.fileCorrupt, "\(SafeText.escaping(path)): damaged")
        file = path
        details = findings.prefix(10).map { "\($0.kind.rawValue): \($0.message)" }
        remedy = "show all damage with: firn check --deep"
    }
}
