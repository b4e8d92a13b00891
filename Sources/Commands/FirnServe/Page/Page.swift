import FirnCodec
import FirnValues
import NIOHTTP1

/// The files of the page, which are part of the program.
///
///     GET /?token=TOKEN    stores the token as a cookie, and leads to the address without it
///     GET /                the page
///     GET /page/NAME       its modules and its style sheet
enum Page {
    private struct File {
        let type: String
        let bytes: [UInt8]
        /// A hash of the bytes, which identifies the file in the cache of a browser.
        let tag: String

        init(_ type: String, _ bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
            let hash = bytes.withUnsafeBytes { Checksum.xxh64($0, seed: 0) }
            tag = "\"\(String(hash, radix: 16))\""
        }

        static func module(_ bytes: [UInt8]) -> File {
            File("text/javascript; charset=utf-8", bytes)
        }
    }

    private static let index = File("text/html; charset=utf-8", PackageResources.index_html)

    private static let files: TextMap<File> = [
        "style.css": File("text/css; charset=utf-8", PackageResources.style_css),
        "api.js": .module(PackageResources.api_js), "app.js": .module(PackageResources.app_js),
        "changes.js": .module(PackageResources.changes_js),
        "chart.js": .module(PackageResources.chart_js), "dom.js": .module(PackageResources.dom_js),
        "edit.js": .module(PackageResources.edit_js), "form.js": .module(PackageResources.form_js),
        "grid.js": .module(PackageResources.grid_js),
        "language.js": .module(PackageResources.language_js),
        "line.js": .module(PackageResources.line_js),
        "object.js": .module(PackageResources.object_js),
        "profile.js": .module(PackageResources.profile_js),
        "schema.js": .module(PackageResources.schema_js),
        "state.js": .module(PackageResources.state_js),
        "undo.js": .module(PackageResources.undo_js),
        "versions.js": .module(PackageResources.versions_js),
    ]

    private static let folder = "/page/"

    /// Returns the response to a request for a file of the page, or `nil` if it is for another path.
    static func response(_ path: String, _ headers: HTTPHeaders) -> Response? {
        let file: File
        if path == "/" {
            file = index
        } else if path.hasPrefix(folder), let named = files[String(path.dropFirst(folder.count))] {
            file = named
        } else {
            return nil
        }
        let tags: HTTPHeaders = ["ETag": file.tag]
        if headers.first(name: "If-None-Match").map({ $0.hasSameBytes(as: file.tag) }) ?? false {
            return Response(.notModified, type: "", [], tags)
        }
        return Response(.ok, type: file.type, file.bytes, tags)
    }

    /// Returns the response that stores a token in the browser.
    static func remembering(_ token: AccessToken, as cookieName: String) -> Response {
        Response(
            .seeOther, type: "", [],
            [
                "Location": "/",
                "Set-Cookie": "\(cookieName)=\(token.text); HttpOnly; "
                    + "SameSite=Strict; Path=/",
            ])
    }

    /// The text for a browser that has no token.
    static let locked = Response(
        .unauthorized, type: "text/plain; charset=utf-8",
        Array("This page needs the URL that firn serve printed, with its token.\n".utf8))
}
