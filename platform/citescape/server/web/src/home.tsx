// The first page: search.
import { render } from "preact";
import { Header } from "./header";
import "./site.css";

function HomePage() {
  return (
    <>
      <Header page="home" />
      <main class="home">
        <h1>Which citations matter, and why?</h1>
        <p>Search a paper above. Its page shows what it cites, who cites it, and how important each citation is.</p>
      </main>
    </>
  );
}

const root = document.getElementById("page");
if (root) {
  render(<HomePage />, root);
  document.body.dataset["ready"] = "home";
}
