//===- Studio.cpp - The server --------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whoever can reach the loopback address, which is every program and every
/// page that a browser of this machine shows, can send a request. It is
/// answered only if its path begins with the token (which only the user's page
/// knows), its Host is this server (else a name that was bound to another
/// address could be asked for it), and its Origin, where a browser gives one,
/// is this server, too.
///
//===----------------------------------------------------------------------===//

#include "cif/Studio/Studio.h"
#include "Actions.h"
#include "Assets.h"
#include "cif/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <sys/random.h>
#include <thread>

// Its classes look as the library was built.
#define CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_ZLIB_SUPPORT
#define CPPHTTPLIB_BROTLI_SUPPORT
#include <httplib.h>

using namespace cif;
using httplib::Request;
using httplib::Response;
using Json = llvm::json::OStream;

/// A request brings texts of a few models.
constexpr size_t maxRequest = 4 * Folder::maxSize;
/// Pages of runs that the browser may still ask for.
constexpr size_t maxPages = 12;
/// A browser has six connections to a server, and somebody may have two.
constexpr size_t threads = 24;

/// What no page of the studio needs is forbidden. Drawings have styles of their
/// own; scripts have not.
static constexpr const char *policy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'";
/// A run's page has a policy of its own and is nobody's origin.
static constexpr const char *pagePolicy =
    "sandbox allow-scripts; frame-ancestors 'self'";

namespace {
class Server : public Studio {
public:
  ~Server() override { stop(); }
  bool start(const StudioOptions &options, std::string &error) override;
  std::string address() const override;
  void stop() override;

private:
  StudioOptions options;
  Folder folder;
  Jobs jobs;
  httplib::Server server;
  std::thread listener;
  std::string token, prefix;
  int port = -1;

  std::mutex pagesMutex;
  std::deque<std::pair<std::string, std::string>> pages; ///< by number
  uint64_t pageCount = 0;

  bool isAllowed(const Request &request) const;
  void addRoutes();
  void listModels(Response &response);
  void readFile(const Request &request, Response &response);
  void saveFile(const llvm::json::Object &request, Response &response);
  void run(const llvm::json::Object &request, Response &response);
  void showPage(const Request &request, Response &response);
  std::string keepPage(std::string page);
};
} // namespace

static void answer(Response &response, llvm::function_ref<void(Json &)> write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Json json(os);
  json.object([&] { write(json); });
  response.set_content(os.str(), "application/json");
}

static void refuse(Response &response, int status, StringRef why) {
  response.status = status;
  answer(response, [&](Json &json) {
    json.attribute("error", llvm::json::fixUTF8(why));
  });
}

/// In a time that does not depend on how much of it is right.
static bool isEqual(StringRef a, StringRef b) {
  if (a.size() != b.size())
    return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= a[i] ^ b[i];
  return difference == 0;
}

bool Server::isAllowed(const Request &request) const {
  StringRef path = request.path;
  if (!isEqual(path.take_front(prefix.size()), prefix))
    return false;
  // More than one Host or Origin is nothing that a browser sends.
  auto isOwn = [&](const char *header, StringRef scheme) {
    std::string value = request.get_header_value(header);
    for (StringRef name : {"127.0.0.1", "localhost"})
      if (value == (scheme + name + ":" + Twine(port)).str())
        return true;
    return false;
  };
  if (request.get_header_value_count("Host") != 1 || !isOwn("Host", ""))
    return false;
  if (request.has_header("Origin") &&
      (request.get_header_value_count("Origin") != 1 ||
       !isOwn("Origin", "http://")))
    return false;
  std::string site = request.get_header_value("Sec-Fetch-Site");
  return site.empty() || site == "same-origin" || site == "none";
}

void Server::listModels(Response &response) {
  bool isCut;
  std::vector<ModelFile> models = folder.list(isCut);
  answer(response, [&](Json &json) {
    json.attribute("folder", llvm::json::fixUTF8(options.folder));
    json.attribute("isCut", isCut);
    json.attributeArray("models", [&] {
      for (const ModelFile &model : models)
        json.object([&] {
          json.attribute("path", model.path);
          json.attribute("version", model.version);
        });
    });
  });
}

void Server::readFile(const Request &request, Response &response) {
  std::string text, version, error;
  Folder::Result result =
      folder.read(request.get_param_value("path"), text, version, error);
  if (result != Folder::Done)
    return refuse(response, result == Folder::NotFound ? 404 : 403, error);
  answer(response, [&](Json &json) {
    json.attribute("text", text);
    json.attribute("version", version);
  });
}

void Server::saveFile(const llvm::json::Object &request, Response &response) {
  std::optional<StringRef> path = request.getString("path"),
                           text = request.getString("text"),
                           expected = request.getString("expected");
  if (!path || !text || !expected)
    return refuse(response, 400, "a path, a text and a version are needed");
  std::string version, error;
  Folder::Result result = folder.save(*path, *text, *expected, version, error);
  response.status = result == Folder::Done      ? 200
                    : result == Folder::Changed ? 409
                                                : 403;
  answer(response, [&](Json &json) {
    if (!error.empty())
      json.attribute("error", llvm::json::fixUTF8(error));
    json.attribute("version", version);
  });
}

std::string Server::keepPage(std::string page) {
  std::lock_guard<std::mutex> lock(pagesMutex);
  pages.push_back({std::to_string(++pageCount), std::move(page)});
  if (pages.size() > maxPages)
    pages.pop_front();
  return pages.back().first;
}

void Server::showPage(const Request &request, Response &response) {
  std::lock_guard<std::mutex> lock(pagesMutex);
  for (const auto &[number, page] : pages)
    if (number == request.matches[1]) {
      response.set_content(page, "text/html; charset=utf-8");
      response.headers.erase("Content-Security-Policy");
      response.set_header("Content-Security-Policy", pagePolicy);
      return;
    }
  refuse(response, 404, "this run is no longer kept; run it again");
}

/// The models in the data of a run's page: who takes part, and the drawings.
static std::optional<llvm::json::Value> modelsIn(StringRef page) {
  StringRef data = page.split("id=\"data\">").second.split("</script>").first;
  auto value = parseJson(data);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  llvm::json::Object *all = value->getAsObject();
  llvm::json::Object *own = all ? all->getObject("page") : nullptr;
  llvm::json::Value *models = own ? own->get("models") : nullptr;
  return models ? std::optional(std::move(*models)) : std::nullopt;
}

void Server::run(const llvm::json::Object &request, Response &response) {
  Job job;
  std::string error;
  if (!makeJob(request, folder, options, job, error))
    return refuse(response, 400, error);
  JobResult result = jobs.run(job);
  if (result.kind == JobResult::Busy)
    return refuse(response, 503, "too many runs wait");
  static const StringRef kinds[] = {"ended",     "crashed", "timed out",
                                    "cancelled", "busy",    "failed"};
  auto output = [&](StringRef name) {
    auto at = result.outputs.find(name.str());
    return at == result.outputs.end() ? std::string() : at->second;
  };
  std::string page = output(pageOutput);
  std::optional<llvm::json::Value> models;
  if (request.getString("action") == "describe")
    models = modelsIn(page);
  else if (!page.empty())
    page = keepPage(std::move(page));
  answer(response, [&](Json &json) {
    json.attribute("revision", job.revision);
    json.attribute("kind", kinds[result.kind]);
    json.attribute("status", result.status);
    json.attribute("log", llvm::json::fixUTF8(result.errors));
    if (models)
      json.attribute("models", *models);
    else if (!page.empty())
      json.attribute("page", page);
    for (auto [key, name] :
         {std::pair("report", reportOutput), std::pair("table", tableOutput)})
      if (auto value = parseJson(output(name)))
        json.attribute(key, *value);
      else
        llvm::consumeError(value.takeError());
    for (const auto &[name, text] : result.outputs)
      if (StringRef(name).starts_with(fileOutput) && llvm::json::isUTF8(text))
        json.attribute("made", text);
  });
}

void Server::addRoutes() {
  server.set_pre_routing_handler([this](const Request &request, Response &r) {
    r.set_header("Content-Security-Policy", policy);
    r.set_header("X-Content-Type-Options", "nosniff");
    r.set_header("Referrer-Policy", "no-referrer");
    r.set_header("Cross-Origin-Resource-Policy", "same-origin");
    r.set_header("Cache-Control", "no-store");
    // Here nothing of a body was read; a packed one could be any size.
    if (!isAllowed(request)) {
      refuse(r, 403, "this address is not the one that cifc --serve printed");
      r.set_header("Connection", "close");
      return httplib::Server::HandlerResponse::Handled;
    }
    if (request.has_header("Content-Encoding")) {
      refuse(r, 415, "content encodings are not supported");
      r.set_header("Connection", "close");
      return httplib::Server::HandlerResponse::Handled;
    }
    return httplib::Server::HandlerResponse::Unhandled;
  });
  for (const StudioAsset &asset : studioAssets())
    server.Get(prefix + (asset.name == "studio.html" ? "" : asset.name.str()),
               [&asset](const Request &, Response &response) {
                 response.set_content(asset.text.data(), asset.text.size(),
                                      asset.type.str());
               });
  server.Get(prefix + "api/models",
             [this](const Request &, Response &r) { listModels(r); });
  server.Get(prefix + "api/file",
             [this](const Request &q, Response &r) { readFile(q, r); });
  server.Get(prefix + "run/(\\d{1,18})",
             [this](const Request &q, Response &r) { showPage(q, r); });
  using Handler = void (Server::*)(const llvm::json::Object &, Response &);
  for (auto [name, handler] :
       {std::pair("save", &Server::saveFile), std::pair("run", &Server::run)}) {
    Handler own = handler;
    server.Post(prefix + "api/" + name, [this, own](const Request &request,
                                                    Response &response) {
      auto value = parseJson(request.body);
      if (!value || !value->getAsObject()) {
        if (!value)
          llvm::consumeError(value.takeError());
        return refuse(response, 400, "the request is not a JSON object");
      }
      (this->*own)(*value->getAsObject(), response);
    });
  }
  server.Post(prefix + "api/cancel",
              [this](const Request &request, Response &response) {
                jobs.cancel(request.body); // the slot; a page that goes away
                answer(response, [](Json &) {});
              });
}

static std::string makeToken() {
  unsigned char bytes[20];
  if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
    return "";
  return llvm::toHex(ArrayRef<uint8_t>(bytes), /*LowerCase=*/true);
}

bool Server::start(const StudioOptions &given, std::string &error) {
  options = given;
  unsigned seconds;
  if (StringRef(options.timeout).getAsInteger(10, seconds) || seconds == 0 ||
      seconds > 100000) {
    error = "the time limit is not a number of seconds";
    return false;
  }
  token = makeToken();
  prefix = "/" + token + "/";
  if (token.empty()) {
    error = "no random numbers for a token";
    return false;
  }
  if (!folder.open(options.folder, error) ||
      !jobs.start(options.cifc, seconds + 10, "cif-studio", error))
    return false;
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(maxRequest);
  server.set_read_timeout(10);
  server.set_write_timeout(10);
  server.set_keep_alive_timeout(2);
  server.set_tcp_nodelay(true);
  // An address that another program still holds is not shared with it.
  server.set_socket_options([](int) {});
  addRoutes();
  port = server.bind_to_any_port("127.0.0.1");
  if (port <= 0) {
    error = "the loopback address cannot be listened on";
    return false;
  }
  listener = std::thread([this] { server.listen_after_bind(); });
  while (!server.is_running()) // or stop() would not stop it
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return true;
}

std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(port) + prefix;
}

void Server::stop() {
  if (!listener.joinable())
    return;
  jobs.stop();
  server.stop();
  listener.join();
}

extern "C" cif::Studio *cifMakeStudio() { return new Server; }
